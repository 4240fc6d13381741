"""Only systems that neither won nor tied are said never to win."""

import betterthan as bt


def test_a_tie_is_no_loss() -> None:
    votes = [("owl", "yak", "tie")] * 4 + [("owl", "yak", "a")] * 3 + [("owl", "elk", "a")] * 3 + [("owl", "elk", "b")]
    codes = [each.code for each in bt.rank(votes, model="win-rate", ci="none").board.findings]
    assert "never-wins" not in codes
    votes = [("owl", "yak", "a")] * 3 + [("owl", "elk", "a")] * 3 + [("owl", "elk", "b")]
    found = [each for each in bt.rank(votes, model="win-rate", ci="none").board.findings if each.code == "never-wins"]
    assert [each.numbers["systems"] for each in found] == [("yak",)]
