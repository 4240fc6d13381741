"""Pickled data frames: read as data in every layout of pandas, and never unpickled."""

import os
import pickle
import pickletools
import zlib
from base64 import b85decode
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import betterthan as bt
from betterthan.readers.pickled_frames.data_frames import frames_in
from betterthan.readers.pickled_frames.pickle_stream import parse_pickle

#: `{"news": {"bleu": a, "chrf": b}}` as other versions of pandas pickled it (protocol 4), with
#: a = DataFrame({"owl": [.5, .7, .1], "yak": [.4, .9, nan]}), b = DataFrame({"owl": [3, 1, 2], "yak": [1, 2, 2]},
#: index=["i1", "i2", "i3"]).
WRITTEN = {
    "1.5.3": (
        "c-nPS&ubGw6wYRoYNb$AY86C0Nj;cadl3;Atq8i9YD7GhWp*>kEZJYo%n}0z_0ZbF-"
        "1<D|f8zh3e}Fenp8Nwm2>RY^qN$`0GV>;R-^}~I@8wP7{V%s>V+^K|@u7k-"
        "teHlb@Dj}Ff@NK%T2U@}t0!5?!7Scqnmw@jAzXc1l?Q2Gg1IzX9%q`%j3ug-vW)e)RA83wC3!S>T%8ea&P@<O5{K#^1k7?!W<?wg"
        "5*~zvq2iUSOp8%<ds-$sW>T^d-Wo_A<(bm5j5HNCZ6TNwc(*M%1i!WmTTTe?paW~Z<JWz655!s1?CMcLOiaCZ6At#P-"
        "(BO}hIYIC=r@L4{F;XFVC#CN)i<wa<Gc6q1I4Gw{?+^Pnc|06)%|=82s0<cGRAf@<keJ39C6za_TbQSex24`*g+xBA62l+Uvkw7n"
        "L^!91?W!jkiJ8>xMrHu+&a)jS3sN*E5uZ+{^f~>i>AJPgxjnCxOv2lo_F(M0>&M&0dQ)(k&(^qau1PW-CUU0on%>`+Uw9h(~`K`M"
        "z)$sja*Gb>AV1Z921U-WAEg&;PjveI9NnsI%Gl0HM5*{P&B5sq`@=`K`&u_o364X$%iWFmIX@6G!GIMa-"
        "5xgRbuCnkUbC!)qsjcu_Tt~sAH!9^@(Tn5trvWKlz)~oXK84<~-"
        "fWd2wZ~&0<|_P*<Dt{klb7h&#d~4^YO5{KsP4DF%6L;2_60XxW5WxK&zgizni#=!j=y5YO@Rg0w1C>kqhoiJ1"
    ),
    "2.2.3": (
        "c-nPS&ubGw6wYRoYNb$Av<f1gq#oSb_97xKS`l<H)rfd1!|Y~~Su*>BnOS1MpdMOVm|LF*{ZITK^bhdn$&-"
        "J87tuG9L{mv0WadrszM1!Z-^-iE`(J*|#RyCzX9EQzST&7UunNrSlI9(%f~1fv=t`O~FpKx8rVm_x2-"
        "n_@%SqOgU@p&=r@3Y_r$Pl8&1sKG1!n1<D3bo;@fqRf`~*Qn8moU0Fw3OM%QWc=Mq-O`#d(#L!+^N!vr6ccN=b)!Es-oKa;0UJXj"
        "|EIm0(Wb<*wuqqS`KOc`>|$HmpWoRFC{U;Ac&<qlcxXV(Q(SaIioA-8bHCXti38eq*>Ls%eN1wr-"
        "5Y`WALwd=Ec<u<>cKe+|EUw(%nz*Zq7A2s0<+D#dnlB-T_SO_*y4d+_XYQQfY)u!BloI4WU>y<{qgsY2mT5wwRqwBI3|UpLKZ?kw"
        "n_Ex^z4bCxMz`O6azmrQ;82)9@NaSJUs`@CNa1Q>rv`@n4DjokX&s`e1c*UZIv-AS7FY<q3H&$Ptvwver+QX^N>P`W4qAIF4Y;<-"
        "DSU2uHR1Dq^NVLD|bW12cnJ182}TH47p3#2P(&!sC=h+?2frz%lWsu>Y9W;i_is>03_F1x@N#uLgH`4V5AqmG*b)F++MhhLfN{N#"
        "U9^Co-!nDcbE&hx8tZRTry-FCG(->+NN3x0=()&rDrBLA@%e~LjK>o~~ihFvyc7Vebh+x!WC%G><e2>5gSys%nTD)<9JNQwF"
    ),
    "3.0.0": (
        "c-ozlOK;RL5XbkCU1%w)L<Qwg0Vh;03#AeQ30U<ZDjG<oa-"
        "|q2@vfuII+5e3U5To2XlW(iIvn5=@D=zD@Bz4S;>3kpZ!mVU^r0dlEX9v_W<37=$FH4tADxPAo1h)R)-"
        "%|IY3=wi%Rx6&Dngop9$BP{K9aQ0U>|P0DQrl;D?wi=Y+6AgSt}BXNkQYR)u)1XnMB{Q`8WxBPm49W>r15vi6cKdbOAk1a*;+sFJ"
        "{CyKGs;|{dCYGHhe#iRYawv0}M+f3lfnjnFq>PHmoJ+GZ@^O?1Nj`hJ~sRZ($Xt-Ktx2>pQ?FbR$%Q)Lcc^I(K1jx7e@i>V5D$Z}"
        "}HC+qo45{@%i^g3z~i$F}e75ARL;RE}TUUp|}mqg~h?YyrCIvwj|7x&klO$l@qqHX+QRYL0Vjrr(A&BzgHb!jNsStmV^;fgUBO33"
        "+V(p*weUV>q`GgeVK>iDN+R<?+xdLejy;AyRK~&g{(7pvOXU_w%LO(Ba%OB_q+DE8#6)ZT@sTlO-No?kx_vHPeCOiGZc8gW}RV#_"
        "j^YXpr;CKfrM@rE4q4Aip{RxosdD4)tU`23;S}9x(j3gAg5IYR=1T_?wu>=qeRmb_4=n@sO{gQXyUKWGYDkPr(VpN!5BX(_z74_E"
        "^gXTF2J19wB|EsHM1uGEt?Zc>uaeIx+3q=_HNgWIZEco}!3UF%nasVY%*RIp!B|*#X`x-"
        "UJ`vV|@G+47TnNM05lMzjkV^)eD}LYB|>avL246*7)^P3k!kGn5<^`9e(eKoDcZJf6#5oXu@6oq|^dI4`ukzsP$n~1TlkeFS>2IS"
        "vYZkRf|98Yy1T#{N*NaAHUG>&a>8U%ACo#"
    ),
}


def _frames() -> dict[str, Any]:
    a = pd.DataFrame({"owl": [0.5, 0.7, 0.1], "yak": [0.4, 0.9, np.nan]})
    b = pd.DataFrame({"owl": [3, 1, 2], "yak": [1, 2, 2]}, index=["i1", "i2", "i3"])
    return {"news": {"bleu": a, "chrf": b}}


def _saved(folder: Path, content: Any, protocol: int = 4, name: str = "scores.pickle") -> Path:
    place = folder / name
    place.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol=protocol))
    return place


def _as_expected(scores: bt.Scores) -> None:
    a, b = scores.tables
    assert [(a.title, a.dataset, a.metric, a.items), (b.title, b.items)] == [
        ("news bleu", "news", "bleu", ("0", "1", "2")),
        ("news chrf", ("i1", "i2", "i3")),
    ]
    np.testing.assert_array_equal(a.values, [[0.5, 0.4], [0.7, 0.9], [0.1, np.nan]])
    np.testing.assert_array_equal(b.values, [[3, 1], [1, 2], [2, 2]])


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_frames_of_this_pandas_in_every_protocol(protocol: int, tmp_path: Path) -> None:
    _as_expected(bt.read_scores(_saved(tmp_path, _frames(), protocol), format="pandas-pickle"))


@pytest.mark.parametrize("version", WRITTEN)
def test_frames_of_other_versions(version: str, tmp_path: Path) -> None:
    content = zlib.decompress(b85decode(WRITTEN[version]))
    _as_expected(bt.read_scores(_saved(tmp_path, content), format="pandas-pickle"))


def test_columns_of_several_types_are_in_their_places(tmp_path: Path) -> None:
    """Blocks hold columns of one type, in an order of their own; some are Fortran-ordered or of another byte order."""
    columns = {"gnu": [True, False], "elk": [2.5, 1.5], "yak": [1, 2], "owl": [0.5, 0.25], "fox": [7, 8]}
    plain = pd.DataFrame(columns)
    # Some versions of pandas cannot take columns of another byte order, so that none is moved.
    turned = pd.DataFrame({**columns, "fox": np.array(columns["fox"], dtype=">i4")})
    for content in (
        turned,
        plain.copy().T.T.astype(float),
        pd.DataFrame(np.asfortranarray(plain.to_numpy(float)), columns=plain.columns),
    ):
        [table] = bt.read_scores(_saved(tmp_path, content), format="pandas-pickle")
        expected = plain[list(table.systems)].to_numpy(float)
        np.testing.assert_array_equal(table.values, expected)


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_values_by_row_are_not_taken_for_values_by_column(protocol: int, tmp_path: Path) -> None:
    """A frame of an array keeps it as it is, so that its block is in Fortran's order."""
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    frame = pd.DataFrame(values, columns=["owl", "yak"], copy=False)
    [table] = bt.read_scores(_saved(tmp_path, frame, protocol), format="pandas-pickle")
    np.testing.assert_array_equal(table.values, values)


def test_dictionaries_of_other_kinds_and_depths(tmp_path: Path) -> None:
    inner = _frames()["news"]
    nested = defaultdict(dict, {"MT": OrderedDict({"cs-en": inner})})
    scores = bt.read_scores(_saved(tmp_path, nested), format="pandas-pickle")
    assert [table.title for table in scores] == ["MT-cs-en bleu", "MT-cs-en chrf"]


def test_data_sets_of_one_name_in_several_files_are_told_by_their_files(tmp_path: Path) -> None:
    places = [_saved(tmp_path, _frames(), name=f"mt{year}.pickle") for year in (18, 19)]
    scores = bt.read_scores(places, format="pandas-pickle")
    assert [table.dataset for table in scores] == ["mt18 news"] * 2 + ["mt19 news"] * 2


def test_it_is_read_on_request_only(tmp_path: Path) -> None:
    place = _saved(tmp_path, _frames())
    with pytest.raises(bt.EvidenceError) as found:
        bt.read(place)
    assert str(found.value) == (
        f"{place}: is a pickle, which is read on request only. Ask for it: format='pandas-pickle'. Nothing in it will be "
        "called."
    )


class _Hostile:
    """Unpickling it writes a file."""

    def __init__(self, how: str, place: Path) -> None:
        self.how, self.place = how, place

    def __reduce__(self) -> Any:
        command = f"touch {self.place}"
        return {
            "system": (os.system, (command,)),
            "eval": (eval, (f"open({str(self.place)!r}, 'w')",)),
            "numpy": (np.testing.assert_array_equal, (1, 1)),
            "pandas": (pd.eval, (f"@__import__('os').system({command!r})",)),
        }[self.how]


@pytest.mark.parametrize("how", ["system", "eval", "numpy", "pandas"])
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_hostile_names_are_refused_and_nothing_runs(how: str, protocol: int, tmp_path: Path) -> None:
    target = tmp_path / "written"
    content = {"news": {"bleu": _frames()["news"]["bleu"], "chrf": _Hostile(how, target)}}
    place = _saved(tmp_path, content, protocol)
    with pytest.raises(bt.EvidenceError, match=r"names [\w.]+, which no data frame needs"):
        parse_pickle(place.read_bytes(), "a file")
    with pytest.raises(bt.BetterthanError):
        bt.read(place, format="pandas-pickle")
    assert not target.exists()
    if how == "system":  # the attack works on those who unpickle
        pickle.loads(place.read_bytes())
        assert target.exists()


def _text(value: str) -> bytes:
    return b"X" + len(value).to_bytes(4, "little") + value.encode()


REFUSED = {
    "a persistent id": (b"Pthe id\n.", "uses the instruction PERSID, which no data frame needs"),
    "an extension": (b"\x82\x01.", "uses the instruction EXT1, which no data frame needs"),
    "an instance": (b"(ios\nsystem\n.", "uses the instruction INST, which no data frame needs"),
    "an object": (b"(cnumpy\ndtype\no.", "uses the instruction OBJ, which no data frame needs"),
    "a name from the stack": (_text("os") + _text("system") + b"\x93.", "names os.system, which no data frame needs"),
    "a name with a dot": (
        _text("numpy") + _text("dtype.mro") + b"\x93.",
        "names numpy.dtype.mro, which no data frame needs",
    ),
    "a call of a text": (_text("numpy") + b")R.", "calls what has no name"),
    "a call of a call": (b"cnumpy\ndtype\n)R)R.", "calls what has no name"),
    "a state of a list": (b"]}b.", "gives a state to a plain value"),
    "a key of tuples": (b"})Ns.", "has a key that is neither a text nor a number"),
    "no end": (b"]", "is no complete pickle (pickle exhausted before seeing STOP)"),
    "nothing to pop": (b"0.", "is no complete pickle (pop from empty list)"),
    "an unknown instruction": (b"\xff.", "is no complete pickle (at position 0, opcode b'\\xff' unknown)"),
    "a missing part": (
        b"B\xff\xff\xff\x7fx.",
        "is no complete pickle (expected 2147483647 bytes in a bytes4, but only 2 remain)",
    ),
    "an unknown place": (b"h\x05.", "is no complete pickle (5)"),
    "values before a mark": (b"(\x85.", "is no complete pickle (a value is missing)"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_data_frame_needs_is_refused(what: str) -> None:
    content, message = REFUSED[what]
    with pytest.raises(bt.EvidenceError) as found:
        parse_pickle(content, "a file")
    assert str(found.value).startswith(f"a file: {message}. ")


def test_a_place_in_memory_far_away_takes_no_memory() -> None:
    """The unpickler of C makes a table of that size."""
    assert parse_pickle(b"]r\xff\xff\xff\x7f.", "a file") == []


def _bomb(levels: int) -> bytes:
    """Return a dictionary that holds another one ten times, which holds another one ten times, and so on."""
    inside = b"}q\x00"
    for level in range(levels):
        keys = b"".join(_text(str(key)) + b"h" + bytes([level]) for key in range(10))
        inside += b"}q" + bytes([level + 1]) + b"(" + keys + b"u"
    return b"\x80\x02" + inside + b"."


def test_dictionaries_that_multiply_end_in_a_sentence(tmp_path: Path) -> None:
    content = _bomb(7).replace(b"\x80\x02", b"\x80\x02" + _text("DataFrame") + b"0", 1)
    with pytest.raises(bt.EvidenceError) as found:
        bt.read(_saved(tmp_path, content), format="pandas-pickle")
    assert str(found.value).endswith("refers to more than 100,000 parts or 500,000,000 cells. Split it.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            lambda: {"a": pd.DataFrame({"owl": ["x", "y"], "yak": [1, 2]})},
            "the column 'owl' holds texts, and every column should be the scores of a system. Save the columns of scores alone.",
        ),
        (
            lambda: {"a": _frames()["news"]["bleu"], "b": [1, 2]},
            "holds list where a data frame or a dictionary of data frames should be. Save the data frames alone.",
        ),
        (
            lambda: pd.DataFrame({"owl": pd.to_datetime(["2026-01-01"] * 2), "yak": [1, 2]}),
            "which no data frame needs. Save the scores as CSV or Parquet where the file was made, and read those.",
        ),
        (
            lambda: pd.DataFrame(np.ones((2, 2))),
            "its columns have no names). Save it as CSV or Parquet where the file was made, and read that.",
        ),
        (
            lambda: pd.DataFrame(np.ones((2, 2)), columns=["owl", "owl"]),
            "two columns have one name). Save it as CSV or Parquet where the file was made, and read that.",
        ),
    ],
)
def test_what_is_no_table_of_scores_is_refused(content: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(bt.EvidenceError) as found:
        bt.read(_saved(tmp_path, content()), format="pandas-pickle")
    assert str(found.value).endswith(message)


def test_bytes_of_bytes_of_bytes_end_in_a_sentence() -> None:
    """What is nested deeper than Python can follow."""
    deep = b"c__builtin__\nbytearray\n" * 3000 + b"B\0\0\0\0" + b"\x85R" * 3000
    whole = pickle.dumps(_frames()["news"]["bleu"], protocol=2)
    at = next(place for opcode, _, place in pickletools.genops(whole) if opcode.name == "BINUNICODE" and place > 400)
    for place in (at, whole.rindex(b"c_codecs\nencode") if b"c_codecs\nencode" in whole else at):
        with pytest.raises(bt.EvidenceError):
            frames_in(parse_pickle(whole[:place] + deep + whole[place:], "a file"), "a file")
    content = b"cpandas\nDataFrame\n)\x81}" + _text("_mgr") + deep + b"sb."
    with pytest.raises(bt.EvidenceError, match="laid out in an unknown way"):
        frames_in(parse_pickle(content, "a file"), "a file")


def test_damaged_files_end_in_a_sentence() -> None:
    """Bytes of a file changed, and the file cut anywhere: frames, or a sentence."""
    whole = pickle.dumps(_frames()["news"]["bleu"], protocol=4)
    rng = np.random.default_rng(0)
    read = 0
    for at in range(0, len(whole), 2):
        changed = bytearray(whole)
        changed[at] = int(rng.integers(256))
        for content in (bytes(changed), whole[:at]):
            try:
                frames_in(parse_pickle(content, "a file"), "a file")
                read += 1
            except bt.EvidenceError:
                pass
    assert read > 10  # such as a changed score


def test_the_names_that_are_known_make_nothing() -> None:
    """All names that a pickle of this pandas needs are data to the parser: no module is imported for them."""
    content = pickle.dumps(_frames(), protocol=4)
    names = {argument for opcode, argument, _ in pickletools.genops(content) if opcode.name == "SHORT_BINUNICODE"}
    assert "DataFrame" in names
    found = parse_pickle(content, "a file")
    assert type(found["news"]["bleu"]).__name__ == "Call"
