"""Every row of docs/studies/papers.md runs, on the bundled examples."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import betterthan as bt
from tests.cli.conftest import Answer, run

__all__ = ["run"]  # the command line

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| ([ABCD]\d+) \| (.+?) \| (.+?) \| `(.+)` \|$", re.MULTILINE)
ROWS = [
    (name, how.replace("\\|", "|"))
    for name, _, _, how in ROW.findall((ROOT / "docs/studies/papers.md").read_text("utf-8"))
]

#: What must be in the answer, or in the file that is written: a number or a sentence for each row.
SAYS = {
    "A1": r"aurora +53\.9 ",
    "A2": r"aurora +54\.0 .*\n.*cedar +51\.4 ",
    "A3": r"aurora +0\.643 .*\n.*birch +0\.614 ",
    "A4": r"^0\.66666",
    "A5": r"dune +1235 .* 1285 ",
    "A6": r"dune +26\.5 ",
    "A7": r"aurora  53\.9 .* 54\.0 .* 0\.643 ",
    "A8": r"do not differ significantly",
    "A9": r"aurora  53\.9  50\.0 … 58\.5",
    "A10": r"aurora +2\.62 .*\n(.*\n)*Differences of row against column, by median",
    "A11": r"below: expected by bradley-terry",
    "A12": r"aurora +0\.53 +0\.53 +0\.60(.*\n)*.*own share",
    "A13": r"paired t-test|t-test|\bt test",
    "A14": r"→  sign-mid-p +42 +0\.66",
    "A15": r"Mood's median test",
    "A16": r"→  wilcoxon",
    "A17": r"column: birch; row: aurora; share; below: expected \(\* significant\): 0\.525; value: 0\.525",
    "A18": r"low: −29\.768[\s\S]*>median<",
    "A19": r">mean 2\.53<[\s\S]*>median 0\.95<",
    "A20": r"system: aurora; to: 0\.\d+; score: 0\.642857",
    "A21": r"mean – bradley-terry +17\.9 % +yes +no",
    "A22": r"mean – bradley-terry: another top three +49 % +1\.000",
    "A23": r"elo – trueskill: pairs ordered differently +18 % +0\.179",
    "A24": r"3 tables of scores",
    "A25": r"'by metric'[\s\S]*'by task'[\s\S]*'chrf'",
    "A26": r"\n10,size,10,mean,bradley-terry,1,0\.\d+.*[\s\S]*\n40,size,40,mean,bradley-terry,1,0\.",
    "A27": r"wilcoxon finds a difference: share of pairs +40 % +0\.571",
    "A28": r"ours: Outliers hurt the mean: mean − BT +below 0 +-0\.\d+ .* agrees",
    "A29": r"ours \(a\) systems, no difficulty",
    "A30": r"In some pairings BT prefers another system than the mean: share of them +above 0 +0\.200 +exact .*agrees",
    "A31": r"A +10\.0  1 +10\.0  1 +0\.429  2\n +B +10\.0  1 +10\.0  1 +0\.571  1",
    "A32": r"A +0\.500 .*\n.*B +0\.500 .*\n.*C +0\.500 ",
    "A33": r"depends-on-others: Leaving out one other system reverses the order of 2 pairs",
    "A34": r"item-types: 'A' beats 'B' on one type of items \(80 %\) and loses on the rest",
    "A35": r"'B' is ahead of 'A' by mean only \(4 outliers decide the mean\)",
    "A36": r"outliers: 3\.0 % of scores[\s\S]*pairing: 20 % of the variance",
    "A37": r"Half of the information about the ranking is in \d+ of 80 items",
    "A38": r"elo\(k=40\) +0\.5\d+",
    "A39": r"^Report bradley-terry\. The means of A, B are equal[\s\S]*Here Peyrard et al\.'s applies",
    "A40": r"→  sign-mid-p[\s\S]*Peyrard et al\. \(2021\) argue for this question",
    "A41": r"aurora +▸0\.82 +▸0\.22",
    "A42": r"mechanisms[\s\S]*official-table[\s\S]*tests-agree",
    "A43": r"paired t-test[\s\S]*Mood[\s\S]*trueskill|trueskill[\s\S]*Mood",
    "A44": r"ours +no difficulty +0\.[1-5]\d\d ",
    "A45": r"owl +▸0\.133 +▸0\.4000",
    "B1": r"2,400 judgments · 6 systems · 240 rankings",
    "B2": r"Read as wmt: systems and ranks = system1Id, system1rank",
    "B3": r"\| aurora \| \*\*1203\*\* \| \*\*1213\*\* \|",
    "B4": r"aurora +▸0\.824 +▸0\.832",
    "B5": r"aurora +▸0\.806 +▸0\.813",
    "B6": r"4 clusters: the rank ranges of 2–4 overlap \(95 % confidence for each rank range alone",
    "B7": r"hopkins-may: spread 0\.5, noise 1, radius 0\.5",
    "B8": r"aurora +▸27\.6 +▸29\.1",
    "B9": r"trueskill: mu 0, sigma 0\.5, beta 15, tau 0, margin 0\.25",
    "B10": r"^\(0\.9010\d+, 0\.0917",
    "B11": r"perplexity +100 +400",
    "B12": r"accuracy +100 +400",
    "B13": r"upper bound +0\.6047  0\.6047",
    "B14": r"Radii tuned by perplexity are \.3 or \.5: share of runs +typically +0\.\d+",
    "B15": r"model: win-rate[\s\S]*model: bradley-terry",
    "B16": r"\* +400 +0\.\d+ / \d+\.\d+ +0\.\d+ / \d",
    "B17": r"researchers alone teach expected-wins more: researcher\* − \* +above 0 +-?0\.",
    "B18": r"90 % settled +uniform +[\d,]+ .*\n +wmt +[\d,>]",
    "B19": r"dune +fjord +0\.224 ",
    "B20": r"ember +fjord +0\.392 ",
    "B21": r"1  birch +ember +dune +aurora +cedar +17 +0\.903",
    "B22": r"Simulated judges: 484 comparisons",
    "B23": r"aurora +▸1\.64 +▸1\.37",
    "B24": r"aurora +24\.88 ",
    "B25": r"With 100 matches, 3 systems at once help: 3 − 2 +above 0 +0\.015",
    "B26": r"'pairs to train on'[\s\S]*'3 systems'",
    "B27": r"column: birch; row: aurora; judgments: 73",
    "B28": r"Late judgments are of nearer systems: mean difference of ranks, last 20 % − first 20 % +along the diagonal +-0\.\d+ .* agrees",
    "B29": r"5 clusters: the rank ranges of 2–3 overlap \(96 % of 100 draws from the judgments\)",
    "B30": r"1 cluster: the rank ranges of 1–6 overlap",
    "B31": r"model: expected-wins[\s\S]*model: hopkins-may[\s\S]*model: trueskill\(preset=wmt\)",
    "B32": r"system: aurora; high: \d; low: 1; lower: 1; median: 1; upper: 1; cluster: 1",
    "B33": r"'t, v of a win'[\s\S]*'t, w of a tie'",
    "B34": r"609 judgments · 5 systems",
    "B35": r"With trueskill, 0 of 15 pairs of systems change places when the judgments are shuffled \(4 random orders",
    "B36": r"Krippendorff's alpha is 0\.12",
    "B37": r"sort +0 % +1\.70",
    "B38": r"accuracy +expected-wins +0\.6744 [\s\S]*French-English[\s\S]*German-English",
    "B39": r"Clusters by ranking − by row +dependence separates fewer +-?\d\.\d+",
    "B40": r"group='judge=J1', worth=\{'aurora': 0\.452",
    "B41": r"researcher\* +6 +1,000 +0\.12 +205[\s\S]*researcher\* – turker\* +491 +0\.50 +-0\.02",
    "C1": r"aurora +0\.8167",
    "C2": r"aurora +0\.8185",
    "C3": r"aurora +0\.9294",
    "C4": r"aurora +0\.2167",
    "C5": r"aurora +89\.87",
    "C6": r"aurora +4\.7333",
    "C7": r"aurora +0\.0812",
    "C8": r"aurora +0\.629 ",
    "C9": r"aurora +1115 [\s\S]*ties:half",
    "C10": r"aurora +3\.41  1 +1140  1 +27\.90  1 +1116  1 +1139",
    "C11": r"order-dependence: With elo, \d+ of 15 pairs",
    "C12": r"for samples from these items[\s\S]*12mlnm",
    "C13": r"aurora +0\.643  0\.60\d … 0\.67\d",
    "C14": r"BT of raw decision values agrees less with accuracy than F1 does: difference +below 0 +-0\.103",
    "C15": r"BT of binarised values agrees with accuracy \(SST-5\) +strong +1\.000",
    "C16": r"Rare long errors hurt wer more than BT: difference of average precisions +above 0 +0\.\d+",
    "C17": r"\| AUC puts originals above penalised systems: average precision − 0\.607 of a random order \| above chance \| 0\.269 ",
    "C18": r"Three random responders: Spearman of accuracy and BT +−0\.5 +1\.000",
    "C19": r"The correlation stays strong with half of the comparisons tied +0\.8 +0\.828",
    "C20": r"12·m·ln m comparisons per pair are enough: share of systems that change there − at 1,000 +stable from there on +0\.02",
    "C21": r"A difference of 0\.1 is enough: share ranked rightly at 12·m·ln m = 237 +pairs perform best +1\.000",
    "C22": r"chrf +human +1\.000",
    "C23": r"^Report mean\. The measure is clear[\s\S]*Levtsov and Ustalov's applies",
    "C24": r"Extreme scores win pairwise comparisons by confidence[\s\S]*Report the mean",
    "C25": r"outlying-items-left-out: 17 items are left out",
    "C26": r"many-ties: 70 % of comparisons are ties[\s\S]*3\.3 × as many judgments",
    "C27": r"Outliers change means, but hardly medians or pairwise comparisons",
    "C28": r"aurora  ▸89\.7  ▸4\.20  ▸0\.086",
    "C29": r"2,240 comparisons · 8 systems · 80 items",
    "C30": r"1,aurora,1115\.29\d+,0\.6637",
    "C31": r"alpha, ratio +0\.750",
    "C32": r"Made own\.campaign",
    "C33": r"5 systems on 49 items \(11 incomplete ones left out\)",
    "C34": r"'confident', 'ties'[\s\S]*'yes', 'not known', 'no'",
    "C35": r"cedar +German-English +2 +0\.619 +\+0\.059",
    "C36": r"17 items are left out, because a system's score[\s\S]*'i000', 'i004'",
    "C37": r"F1 cannot distinguish them: systems with the same F1 as their copy +all 3 +3\.000",
    "D1": r"→  sign +1\.099 +0\.33 +robust, t with 4\.0 degrees of freedom, 29 ties left out",
    "D2": r"→  sign +1\.086 +0\.34 .*29 ties count half",
    "D3": r"Friedman test: 4\.5, p = 0\.11",
    "D4": r"Krippendorff's alpha is 0\.12[\s\S]*Fleiss' kappa 0\.13",
    "D5": r"aurora +0\.416  1 +1115  1",
    "D6": r"aurora +0\.40579 [\s\S]*undecided +-0\.58922",
    "D7": r"dune +0 +reference[\s\S]*undecided +-0\.58922 +0\.09165 +-6\.429",
    "D8": r"aurora,strength,0\.81157\d+,.*,2\.2514",
    "D9": r"'aurora': 0\.31673",
    "D10": r"Residual deviance 5\.6327 on 8 degrees of freedom \(goodness of fit: p = 0\.6883\)",
    "D11": r"aurora +0\.95349 [\s\S]*ties:fixed",
    "D12": r"likelihood ratio 114\.3595 on 1 degrees of freedom",
    "D13": r"A +0\.40547 [\s\S]*undecided +-0\.89588",
    "D14": r"Collins \(as fitted\): p of g1 +0\.0432 +0\.043 +exact .*agrees",
    "D15": r"'fitted': \[",
    "D16": r"aurora:judge\[T\.J3\] +-?\d",
    "D17": r"subject: judge +21\.4363 +12 +0\.044 +likelihood ratio",
    "D18": r"aurora:age +-0\.00214",
    "D19": r"standard deviation of 0\.154 \(0\.000 … 0\.354\)",
    "D20": r"neural +0\.12347 ",
    "D21": r"aurora +2\.97698 [\s\S]*tie2 +-1\.18499",
    "D22": r"A +2\.32292 [\s\S]*One pattern per ranking, of 6 that are possible",
    "D23": r"dependence:aurora>birch,aurora>cedar +0\.80491",
    "D24": r"position +-0\.05374",
    "D25": r"A +-0\.69315 [\s\S]*B +-1\.38629 ",
    "D26": r"undecided:source\[T\.expert\] +0\.06204",
    "D27": r"Standard errors are clustered by judge: 9 judges",
    "D28": r"2 latent classes of 58 rankings: 55\.5 %",
    "D29": r"birch +2\.00 +3\.00",
    "D30": r"aurora +1\.0 .*\n.*birch +3\.0 .*\n.*cedar +3\.0 ",
    "D31": r"1    1–4  aurora[\s\S]*6    5–6  fjord",
    "D32": r"aurora +0\.682 ",
    "D33": r"wer +1\.000 .* 0\.783",
    "D34": r"fjord +868  6 +839  6 +840  6 +866  6",
    "D35": r"\naurora,birch,2\.0,39\.0,13\.0,21\.0,0\.62\d+,0\.2465\d+,0\.1028\d+,",
    "D36": r"A:sex\[T\.m\] +0\.90581",
    "D37": r"A +2\.32292 +1\.36744",
}


def test_all_160_things_have_a_row() -> None:
    expected = [
        f"{paper}{number}"
        for paper, size in zip("ABCD", (45, 41, 37, 37), strict=True)
        for number in range(1, size + 1)
    ]
    assert [name for name, _ in ROWS] == expected
    assert len(ROWS) == 160
    assert set(SAYS) == set(expected)  # running is not enough


@pytest.fixture(scope="module")
def done() -> dict[str, str]:
    """What was run before: rows that share a command share its run."""
    return {}


@pytest.mark.parametrize(("name", "how"), ROWS, ids=[name for name, _ in ROWS])
def test_the_command_works(
    name: str,
    how: str,
    run: Callable[..., Answer],
    done: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if how in done:
        assert re.search(SAYS[name], done[how]), f"{name}: {SAYS[name]} is not in\n{done[how]}"
        return
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    if how.startswith("betterthan "):
        answer = run(*shlex.split(how)[1:])
        assert answer.code == 0, f"{name}: {answer.err}"
        written = [Path(part) for part in shlex.split(how) if part.endswith((".svg", ".html"))]
        said = answer.out + "".join(each.read_text("utf-8") for each in written)
    else:
        said = str(eval(how, {"bt": bt, "pd": pd, "print": str}))
    assert re.search(SAYS[name], said), f"{name}: {SAYS[name]} is not in\n{said}"
    done[how] = said
