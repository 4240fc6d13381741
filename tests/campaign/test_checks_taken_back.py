"""Checks with a known answer that are taken back do not count, right or wrong."""

from pathlib import Path

import pytest

from tests.campaign.worlds import campaign, ranked


@pytest.mark.parametrize("right", [True, False])
def test_an_undone_check_counts_no_more(tmp_path: Path, right: bool) -> None:
    with campaign(tmp_path / "c.campaign", gold=0.5) as running:
        judge = running.add_judge("Ada").result()[0].number
        for number in range(40):
            (task,) = running.hand_out(judge).result().tasks
            lease = running.writer.state.leases[task.lease]
            if lease.purpose == "gold":
                break
            running.submit(judge, task.lease, f"key-{number:05d}", ranked(task)).result()
        assert lease.purpose == "gold"
        known = [running.material.gold[lease.check].ranks[place] for place in lease.order]
        ranks = known if right else [3 - rank for rank in known]
        running.submit(judge, task.lease, "key-gold-1", ranked(task, *ranks)).result()
        person = running.writer.state.people[judge]
        assert (person.right, person.wrong) == (int(right), int(not right))
        running.undo(judge).result()
        person = running.writer.state.people[judge]
        assert (person.right, person.wrong) == (0, 0)
