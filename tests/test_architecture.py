"""The size of the house: what CONTRIBUTING promises about files, shown."""

import ast
import subprocess
import sys
from pathlib import Path

from tools import interfaces

SOURCE = Path(__file__).parent.parent / "src" / "betterthan"

KIND_CLASSES = {"Scores", "Rankings", "Judgments", "ScoreTable", "ScoredSet", "JudgedSet", "RankedSet"}
KIND_WORDS = {"scores", "judgments", "rankings"}
#: Where a procedure is chosen by the kind of evidence, and how often: take entries away, and add none.
KIND_CHOSEN_IN = {
    "cli/compare.py": 1,
    "testing.py": 3,
    "verbs/collect/assignment.py": 1,
    "verbs/compare/compare_every_pair.py": 1,
    "verbs/compare/compare_two.py": 1,
    "verbs/compare/paired_evidence.py": 1,
    "verbs/diagnose/checks/rating_agreement.py": 1,
    "verbs/diagnose/diagnose_evidence.py": 2,
    "verbs/diagnose/examined_data.py": 2,
    "verbs/diagnose/model_advice.py": 1,
    "verbs/fit/estimation/ranking_model.py": 1,
    "verbs/fit/fit_model.py": 1,
    "verbs/fit/patterns/pattern_answers.py": 2,
    "verbs/power/plan_sample_size.py": 1,
    "verbs/rank/overall_rule.py": 1,
    "verbs/report/anonymous.py": 1,
    "verbs/report/breakdown.py": 1,
    "verbs/report/methods_text.py": 1,
    "verbs/report/pair_explorer.py": 1,
    "verbs/select/divisible_evidence.py": 2,
    "verbs/study/experiments/free_for_all.py": 1,
    "verbs/study/experiments/log_linear.py": 1,
    "verbs/study/held_out.py": 1,
}


def test_no_module_has_many_more_than_250_statements() -> None:
    statements = {
        path.name: sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for path in SOURCE.rglob("*.py")
    }
    assert not {name: number for name, number in statements.items() if number > 280}


def test_every_module_says_what_it_is_for() -> None:
    silent = [path for path in SOURCE.rglob("*.py") if not path.read_text(encoding="utf-8").startswith('"""')]
    assert not silent


def test_only_evidence_and_data_sets_ask_which_kind_of_evidence_came_in() -> None:
    """Verbs ask a data set for what it has. Those with two procedures choose one where they begin, and nowhere else."""
    allowed = {"evidence", "readers", "state", "datasets"}
    files = [path for path in SOURCE.rglob("*.py") if path.relative_to(SOURCE).parts[0] not in allowed]
    asking = {
        path.relative_to(SOURCE).as_posix(): number
        for path in files
        if (number := sum(map(_asks_for_kind, ast.walk(ast.parse(path.read_text(encoding="utf-8"))))))
    }
    assert asking == KIND_CHOSEN_IN


def test_questions_about_the_kind_of_evidence_are_recognised() -> None:
    """However the variable is called, and on whichever side it is."""
    questions = (
        "isinstance(anything, ScoredSet)",
        "isinstance(a.b, (int, betterthan.Scores))",
        "isinstance(x, JudgedSet | None)",
        "issubclass(x, RankedSet)",
        "pairing.kind == 'scores'",
        "'judgments' != sets.kind",
        "kind in {'rankings', 'judgments'}",
        "data.scores is None",
        "x if data.rankings else y",
        "not data.judgments",
        "data.judgments and 1",
        "match data:\n    case ScoredSet(): pass",
        "match data.kind:\n    case 'scores': pass",
    )
    for text in questions:
        assert sum(map(_asks_for_kind, ast.walk(ast.parse(text)))) == 1, text
    others = ("isinstance(x, DataSet)", "judge.kind == 'person'", "data.scores.values", "kinds['scores']", "x is None")
    for text in others:
        assert not any(map(_asks_for_kind, ast.walk(ast.parse(text)))), text


def _asks_for_kind(node: ast.AST) -> bool:
    """Whether code asks if evidence is scores, judgments or rankings."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
            return any(_name(part) in KIND_CLASSES for part in ast.walk(kinds))
        case ast.MatchClass(cls=kind):
            return _name(kind) in KIND_CLASSES
        case ast.MatchValue(value=ast.Constant(value=str(word))):
            return word in KIND_WORDS
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = (left, *others)
            parts = [part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)]
            by_word = any(_name(side) == "kind" for side in sides) and not KIND_WORDS.isdisjoint(parts)
            absent = isinstance(ops[0], ast.Is | ast.IsNot) and None in parts
            return by_word or (absent and any(map(_is_field, sides)))
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
            return _is_field(test)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_field(operand)
        case ast.BoolOp(values=values):
            return any(map(_is_field, values))
    return False


def _name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _is_field(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in KIND_WORDS


def test_interfaces_are_no_wider_than_they_were() -> None:
    """A bound that only goes down: about 250 names are wanted."""
    assert len({(each.module, each.name) for each in interfaces.crossing(interfaces.modules())}) <= 395


def test_ranking_a_small_file_goes_through_few_modules_and_packages() -> None:
    """Bounds that only go down: it loaded 188 modules, and went back and forth between packages 450 times."""
    root = SOURCE.parent.parent
    code = (
        "import sys; from betterthan.cli.main import main\n"
        f"try: main(['rank', {str(root / 'examples' / 'votes.csv')!r}])\n"
        "except SystemExit: pass\n"
        "print(sum(name.split('.')[0] == 'betterthan' for name in sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stderr.split()[-1]) <= 140
    traced = subprocess.run([sys.executable, "-m", "tools.trace"], capture_output=True, text=True, check=True, cwd=root)
    assert int(traced.stdout.split()[-4]) <= 300
