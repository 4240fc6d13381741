"""Small invented files that cannot be read without help, and which systems a right board may have first.

In every file *owl* is the best system by the values it was made from, then *yak*, then *elk*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Pairs of a round robin: who is compared, and how the first of the two does.
PAIRS = (
    ("owl", "yak", "win"),
    ("yak", "owl", "loss"),
    ("owl", "elk", "win"),
    ("elk", "owl", "loss"),
    ("yak", "elk", "win"),
    ("elk", "yak", "loss"),
    ("owl", "yak", "win"),
    ("owl", "yak", "tie"),
    ("yak", "elk", "win"),
    ("elk", "owl", "loss"),
)
#: Scores of owl, yak and elk on six items.
SCORES = (
    (0.91, 0.72, 0.31),
    (0.83, 0.71, 0.42),
    (0.95, 0.64, 0.33),
    (0.87, 0.76, 0.4),
    (0.9, 0.6, 0.2),
    (0.8, 0.7, 0.5),
)
NAMES = ("owl", "yak", "elk")
#: The only acceptable answer is to print no command: nothing in the file says what its values mean.
NOTHING: tuple[str, ...] = ()


@dataclass(frozen=True)
class Awkward:
    """One file or several, the systems that a right board may have first, and options given with them."""

    files: Mapping[str, str]
    first: tuple[str, ...] = ("owl",)
    options: tuple[str, ...] = ()
    verb: str = "rank"


def csv(header: str, rows: Sequence[Sequence[object]], sign: str = ",") -> str:
    """Write a table."""
    return "\n".join([header, *(sign.join(map(str, row)) for row in rows)]) + "\n"


def judged(header: str, win: object, tie: object, loss: object, *, sign: str = ",") -> str:
    """Write the round robin with these words for its outcomes."""
    words = {"win": win, "tie": tie, "loss": loss}
    return csv(header, [(left, right, words[how]) for left, right, how in PAIRS], sign)


def goals(header: str, *, names: bool = True) -> str:
    """Write the round robin with the goals of both sides."""
    scored = {"win": (3, 1), "tie": (2, 2), "loss": (0, 2)}
    return csv(header, [(*((left, right) if names else ()), *scored[how]) for left, right, how in PAIRS])


def long(header: str, order: str = "sis", *, items: str = "q{}", extra: Sequence[object] = ()) -> str:
    """Write scores one per row: `order` says where system, item and score are."""
    rows = []
    for number, scores in enumerate(SCORES):
        for name, score in zip(NAMES, scores, strict=True):
            cells = {"s": name, "i": items.format(number), "v": score}
            rows.append([*(cells[each] for each in order), *extra])
    return csv(header, rows)


def wide(header: str, *, names: Sequence[object] | None = None) -> str:
    """Write scores one item per row, with texts before them."""
    texts = names or [f"the sentence number {number} of the test" for number in range(len(SCORES))]
    return csv(header, [(text, *scores) for text, scores in zip(texts, SCORES, strict=True)])


def one(name: str, text: str, first: tuple[str, ...] = ("owl",), *options: str, verb: str = "rank") -> Awkward:
    """Return a case of one file."""
    return Awkward({name: text}, first, options, verb)


_LONG_NAMES = ", ".join(["passage", "owl", "yak", "elk", "ant", "bee"]).replace(" ", "")
_SIX = csv(_LONG_NAMES, [(f"passage {n} of a test", *row, 0.1, 0.15) for n, row in enumerate(SCORES)])
_TWICE = csv(
    "system,item,attempt,score",
    [
        (name, f"q{number}", attempt, score + attempt / 100)
        for number, scores in enumerate(SCORES)
        for name, score in zip(NAMES, scores, strict=True)
        for attempt in (1, 2)
    ],
)
_BY_METRIC = csv(
    "system,item,measurement,score",
    [
        (name, f"q{number}", metric, score)
        for number, scores in enumerate(SCORES)
        for name, score in zip(NAMES, scores, strict=True)
        for metric in ("bleu", "chrf")
    ],
)
_RANKS = csv("voter,horse,place", [(f"v{n}", name, place + 1) for n in range(5) for place, name in enumerate(NAMES)])
_TENNIS = csv(
    "tourney_date,winner_name,winner_rank,loser_name,loser_rank,minutes",
    [
        (20240101 + n, *((left, 3, right, 9) if how != "loss" else (right, 3, left, 9)), 90 + n)
        for n, (left, right, how) in enumerate(PAIRS)
    ],
)

AWKWARD: Mapping[str, Awkward] = {
    # Judgments whose columns have names of their own.
    "own names of sides": one("votes.csv", judged("champion,challenger,verdict", "left", "tie", "right")),
    "sides named in camel case": one("votes.csv", judged("sysA,sysB,pref", "A", "tie", "B")),
    "sides with spaces": one("my votes.csv", judged("first bot,second bot,who won?", "A", "tie", "B")),
    "winner's own name": one(
        "votes.csv",
        csv(
            "bot 1,bot 2,pick",
            [(a, b, {"win": a, "loss": b, "tie": "tie"}[how]) for a, b, how in PAIRS],
        ),
    ),
    "quotes in names": one("votes.csv", judged("Ann's pick,Bob's pick,verdict", "left", "tie", "right")),
    "football": one(
        "football.csv",
        csv(
            "Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR",
            [
                ("E0", f"0{n}/01/24", a, b, *{"win": (3, 1, "H"), "tie": (2, 2, "D"), "loss": (0, 2, "A")}[how])
                for n, (a, b, how) in enumerate(PAIRS)
            ],
        ),
    ),
    "home and away scores": one("games.csv", goals("home,away,home_score,away_score")),
    "home and away teams": one("games.csv", goals("home_team,away_team,home_points,away_points")),
    "goals without a name for it": one("games.csv", goals("team1,team2,g1,g2")),
    "names of winners": one("tennis.csv", _TENNIS),
    "victor and vanquished": one(
        "duels.csv", csv("victor,vanquished", [(a, b) if how != "loss" else (b, a) for a, b, how in PAIRS])
    ),
    "one side named": one(
        "votes.csv", judged("champion,challenger,verdict", "left", "tie", "right"), ("owl",), "--left", "champion"
    ),
    # Words for outcomes.
    "response A": one("votes.csv", judged("model_a,model_b,winner", "Response A", "Tie", "Response B")),
    "A is better": one(
        "votes.csv", judged("model_a,model_b,winner", "A is better", "Both are the same", "B is better")
    ),
    "assistant A": one("votes.csv", judged("model_a,model_b,winner", "Assistant A", "tie", "Assistant B")),
    "much better": one(
        "votes.csv",
        csv(
            "model_a,model_b,winner",
            [
                (
                    a,
                    b,
                    {
                        "win": f"A is {'much' if n % 2 else 'slightly'} better",
                        "tie": "About the same",
                        "loss": "B is much better",
                    }[how],
                )
                for n, (a, b, how) in enumerate(PAIRS)
            ],
        ),
    ),
    "left_better": one("votes.csv", judged("left,right,preference", "left_better", "equal", "right_better")),
    "candidate and baseline": one("votes.csv", judged("candidate,baseline,preferred", "candidate", "tie", "baseline")),
    "second is nicer": one(
        "votes.csv", judged("model_a,model_b,winner", "first is nicer", "both fine", "second is nicer"), NOTHING
    ),
    "both are the same only": one(
        "votes.csv", judged("model_a,model_b,winner", "eins", "Both are the same", "zwei"), NOTHING
    ),
    "yes, no, maybe": one("votes.csv", judged("model_a,model_b,winner", "oui", "peut-être", "non"), NOTHING),
    "0, 1 and 2": one("votes.csv", judged("model_a,model_b,winner", 0, 1, 2), NOTHING),
    "1 to 7": one("votes.csv", judged("model_a,model_b,winner", 2, 4, 6), NOTHING),
    # Long scores.
    "llm and task": one("runs.csv", long("llm,problem,grade", "siv")),
    "own names of long scores": one("runs.csv", long("engine,line no,quality points", "siv", items="{}")),
    "two text columns": one("study.csv", long("condition,participant,points", "siv", items="person {}"), ("owl",)),
    "item unknown": one("runs.csv", long("model,puzzle,score", "siv")),
    "score unknown": one("runs.csv", long("model,item,grade", "siv")),
    "attempts": one("runs.csv", _TWICE),
    "measurements": one("runs.csv", _BY_METRIC),
    "a comma in a name": one("runs.csv", long('model,item,"points, final"', "siv")),
    "a typo in an option": one(
        "runs.csv",
        long("engine,problem,grade", "siv"),
        ("owl",),
        "--system",
        "engin",
        "--item",
        "problem",
        "--score",
        "grade",
    ),
    # Wide tables.
    "a text beside systems": one("scores.csv", wide("passage,owl,yak,elk")),
    "five systems": one("scores.csv", _SIX),
    "systems with commas": one("scores.csv", wide('passage,"owl, large","yak, small","elk, old"'), ("owl, large",)),
    "ranks or scores": one(
        "table.csv", csv("owl,yak,elk", [(1, 2, 3), (1, 2, 2), (2, 1, 3), (1, 3, 2), (1, 1, 3)]), ("owl", "elk")
    ),
    "metrics of one system": one(
        "metrics.csv", csv("segment,bleu,comet,chrf", [(f"s{n}", *row) for n, row in enumerate(SCORES)]), NOTHING
    ),
    "no header": one("scores.csv", csv("0.9,0.8,0.7", SCORES), NOTHING),
    "tournament": one(
        "atp.csv",
        csv(
            "tourney_date,draw_size,match_num,minutes,surface",
            [(20240101, 32, n, 90 + n, "clay hard"[: 4 + n % 2]) for n in range(9)],
        ),
        NOTHING,
    ),
    "systems in rows": one(
        "leaderboard.csv",
        csv(
            "Agent,Maths,Law,Physics,Chess",
            [(name, *(scores[place] for scores in SCORES[:4])) for place, name in enumerate(NAMES)],
        ),
        ("owl",),
    ),
    "one aggregate column": one(
        "board.csv", csv("model,accuracy", [("owl", 0.9), ("yak", 0.8), ("elk", 0.7)]), NOTHING
    ),
    "one system": one("runs.csv", csv("model,item,score", [("owl", f"q{n}", n / 10) for n in range(6)]), NOTHING),
    # Rankings.
    "voters and horses": one("ballots.csv", _RANKS),
    "a ranking without its name": one(
        "ranks.csv",
        csv("voter,system,rank", [(f"v{n}", name, place + 1) for n in range(5) for place, name in enumerate(NAMES)]),
    ),
    # Files that hold no evidence, and files of other kinds.
    "configuration": one(
        "config.json", '{"learning_rate": 0.001, "layers": 12, "optimizer": {"name": "adam"}}\n', NOTHING
    ),
    "people": one("people.csv", csv("age,height,city", [(30 + n, 170 + n, f"city {n}") for n in range(8)]), NOTHING),
    "decimal commas": one(
        "scores.csv",
        "passage;owl;yak;elk\n"
        + "".join(f"a text {n};{str(a).replace('.', ',')};{b};{c}\n" for n, (a, b, c) in enumerate(SCORES)),
    ),
    "compare two": Awkward(
        {"votes.csv": judged("champion,challenger,verdict", "left", "tie", "right")},
        ("owl",),
        ("owl", "yak"),
        "compare",
    ),
    "select": one("votes.csv", judged("champion,challenger,verdict", "left", "tie", "right"), ("owl",), verb="select"),
    "points of visitor and host": one(
        "nba.csv", goals("visitor,host,visitor_pts,host_pts").replace("owl", "owls").replace("yak", "yaks"), ("owls",)
    ),
    "chess": one("chess.csv", judged("White,Black,Result", "1-0", "1/2-1/2", "0-1")),
    "compilers": one(
        "bench.csv",
        csv(
            "compiler,program,seconds",
            [
                (name, f"p{number}", 1 - score)
                for number, scores in enumerate(SCORES)
                for name, score in zip(NAMES, scores, strict=True)
            ],
        ),
    ),
    "products and people": one(
        "sensory.csv",
        csv(
            "assessor,product,session,sweetness",
            [
                (f"p{number}", name, session, score)
                for number, scores in enumerate(SCORES)
                for name, score in zip(NAMES, scores, strict=True)
                for session in (1, 2)
            ],
        ),
    ),
    "a German note": one("noten.csv", long("Engine;Frage;Note", "siv").replace(",", ";").replace(".", ",")),
    "places of brands": one(
        "survey.csv", csv("respondent,owl,yak,elk", [(f"r{n}", *((1, 2, 3) if n % 3 else (2, 1, 3))) for n in range(8)])
    ),
    "passengers": one(
        "titanic.csv",
        csv(
            "Class,Sex,Survived,Freq",
            [(c, s, v, n) for n, c in enumerate(("1st", "2nd")) for s in "mf" for v in (0, 1)],
        ),
        NOTHING,
    ),
    # Tables in which nothing was evaluated: shapes of real files that once got a reading.
    "forecasts of matches": one(
        "matches.csv",
        csv(
            "team1,team2,team1_win,team2_win,tie",
            [
                (a, b, *{"win": (0.6, 0.2, 0.2), "tie": (0.3, 0.3, 0.4), "loss": (0.1, 0.7, 0.2)}[w])
                for a, b, w in PAIRS
            ],
        ),
        NOTHING,
    ),
    "answers and how certain they are": one(
        "personas.csv",
        csv(
            "question,label_confidence,answer_matching,answer_not_matching",
            [(f"Would you say sentence {n}?", 0.8 + n / 100, *(" Yes", " No")[:: 1 - 2 * (n % 2)]) for n in range(12)],
        ),
        NOTHING,
    ),
    "routes": one(
        "routes.csv",
        csv("Source,SourceID,Destination,DestinationID", [(a, len(a) + n, b, n) for n, (a, b, _) in enumerate(PAIRS)]),
        NOTHING,
    ),
    "matches and their players": one(
        "points.csv",
        csv(
            "match_id,player,row,pts,pts_won,unforced",
            [
                (f"2025-{n}-{a}-{b}", who, row, n + 5, n + 2, n % 3)
                for n, (a, b, _) in enumerate(PAIRS)
                for who in (a, b)
                for row in ("serve", "return")
            ],
        ),
        NOTHING,
    ),
    "numbers of clubs": one(
        "clubs.csv",
        csv(
            "Team,Season,ID",
            [(name, f"20{20 + year}", 100 * year + place) for year in range(3) for place, name in enumerate(NAMES)],
        ),
        NOTHING,
    ),
    "cars by year": one(
        "cars.csv",
        csv(
            "name,year,weight_lbs,mpg,hp",
            [(name, 70 + n, 3000 + n, 20 + n % 5, 100 + n) for n in range(9) for name in NAMES],
        ),
        NOTHING,
    ),
    "groups and times": one(
        "anova.csv",
        csv(
            "Scores,Time,Group,Subject",
            [
                (5 + n / 7, time, group, f"{group} {n}")
                for n in range(8)
                for time in ("T0", "T1")
                for group in ("control", "therapy")
            ],
        ),
        NOTHING,
    ),
    "prices of shops": one(
        "shops.csv",
        csv(
            "Sales,Price,Urban,Shelf",
            [(7 + n / 3, 90 + n, ("yes", "no")[n % 2], ("good", "bad")[n % 3 > 0]) for n in range(12)],
        ),
        NOTHING,
    ),
    "three guesses": one(
        "guesses.csv",
        csv(
            "baker,guess_1,guess_2,guess_3,correct_1,correct_2,correct_3",
            [(f"b{n}", *("clove", "nutmeg", "clove")[:: 1 - 2 * (n % 2)], n % 2, 1, 0) for n in range(8)],
        ),
        NOTHING,
    ),
    "returns of shares": one(
        "shares.csv",
        csv("Date,Google_Return,SP500_Return", [(f"2015-05-{n:02}", n / 900, -n / 700) for n in range(1, 20)]),
        NOTHING,
    ),
    "microseconds": one(
        "jmh.csv",
        csv(
            "provider,variant,operation,score_us,unit",
            [
                (who, f"v{n}", how, n + len(who), "us/op")
                for who in NAMES
                for n in range(5)
                for how in ("sign", "verify")
            ],
        ),
        NOTHING,
    ),
    "kinds of models": one(
        "board.csv",
        csv(
            "kind,model,F1,EM,sponsor",
            [("tuned" if n % 2 else "base", f"llama-{n}", 70 - n, 50 - n, "x") for n in range(8)],
        ),
        NOTHING,
    ),
    "identifiers of teams": one(
        "matches.csv",
        csv(
            "stage,phase,t1,t1_name,ft1,t2,t2_name,ft2",
            [
                (
                    *(("group", "final"), ("final", "group"))[n % 2],
                    ord(a[0]),
                    a,
                    *{"win": (3,), "tie": (2,), "loss": (0,)}[w],
                    ord(b[0]),
                    b,
                    *{"win": (1,), "tie": (2,), "loss": (2,)}[w],
                )
                for n, (a, b, w) in enumerate(
                    [
                        *PAIRS,
                        ("owl", "ant", "win"),
                        ("ant", "bee", "loss"),
                        ("bee", "owl", "loss"),
                        ("yak", "ant", "win"),
                    ]
                )
            ],
        ),
    ),
    "food": one(
        "food.csv",
        csv(
            "item,calories,fat,carb,type",
            [(f"cake {n}", 300 + n, 20 + n, 30 + n, ("cake", "bar")[n % 2]) for n in range(8)],
        ),
        NOTHING,
    ),
    "two people": one(
        "smiths.csv",
        csv("rownames,subject,time,age,height", [(1, "John", 1, 33, 1.8), (2, "Mary", 1, 35, 1.5)]),
        NOTHING,
    ),
    "pupils": one(
        "pupils.csv",
        csv(
            "rownames,school,grade,sentence",
            [(n + 1, ("North", "South")[n % 2], 7 + n % 3, 10 + n % 4) for n in range(12)],
        ),
        NOTHING,
    ),
    "counts by age": one(
        "ages.csv",
        csv("rownames,None,Grade 1,Grade 2,Grade 3", [(f"{n}0-{n}9", 310 - n, 36 + n, 15 + n, 9) for n in range(5)]),
        NOTHING,
    ),
    "German names": one("punkte.csv", long("Modell,Frage,Punkte", "siv")),
    "what else was measured": one(
        "aligned.csv",
        csv(
            "seqid,algorithm,sp,tc,time",
            [
                (f"s{n}", name, v, v / 2, 90 + n)
                for n, row in enumerate(SCORES)
                for name, v in zip(NAMES, row, strict=True)
            ],
        ),
        NOTHING,
    ),
    "checkpoints and their spread": one(
        "retrieval.csv",
        csv(
            "fragment,acc,acc_std,checkpoint_path,jitter",
            [
                (part, v, v / 9, f"runs/{name}.ckpt", jitter)
                for n, (name, v) in enumerate(zip(NAMES, SCORES[0], strict=True))
                for part in ("dialog", "story")
                for jitter in (True, False)
            ],
        ),
        ("runs/owl.ckpt",),
    ),
    "three judges in columns": one(
        "human_eval.csv",
        csv(
            "question_id,model_1,model_2,turn,winner1,winner2,winner3",
            [
                (n, a, b, 1, *("model_1", "tie", "model_2")[:: 1 - 2 * (w == "loss")])
                for n, (a, b, w) in enumerate(PAIRS)
            ],
        ),
        NOTHING,
    ),
    "music and people": one(
        "music.csv",
        csv(
            "Subject,Sex,Music,Accuracy",
            [(f"subj{n}", "mf"[n % 2], music, n + k) for n in range(8) for k, music in enumerate(("calm", "loud"))],
        ),
        NOTHING,
    ),
    "conditions of recordings": one(
        "conditions.csv", csv("condition,snr,q", [(f"c{n}", 5 * n, 10 + n) for n in range(9)]), NOTHING
    ),
    # Readings that are right, and were wrong or incomplete.
    "a framework and its parameters": one(
        "runs.csv",
        csv(
            "task,framework,version,params,fold,acc",
            [
                (f"t{number}", name, f"1.{len(name)}", f"depth={number % 2}", fold, score)
                for number, scores in enumerate(SCORES)
                for name, score in zip(NAMES, scores, strict=True)
                for fold in (0, 1)
            ],
        ),
    ),
    "a system called like a metric": one(
        "summary.csv",
        csv(
            "type,task,autogluon,tpot,xgboost",
            [("binary", f"t{n}", 0.5 + n / 20, 0.4 + n / 20, 0.3 + n / 20) for n in range(8)],
        ),
        ("autogluon",),
    ),
    "numbers with remarks": one(
        "summary.csv",
        csv("task,gpt-4,llama", [(f"t{n}", f"{0.5 + n / 20:.2f}" + " (3)" * (n == 2), 0.4) for n in range(8)]),
        ("gpt-4",),
    ),
}
