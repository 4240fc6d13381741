"""Files with a record per item: every tool's own names of systems, items and repeats, and what becomes of gaps."""

import json
from pathlib import Path
from typing import Any

import pytest

import betterthan as bt
from betterthan.readers.format import format_called
from tests.readers.tools.boards import found, means, refused, write_json, write_lines

#: The board of every example, computed by hand from the numbers in it.
EXAMPLES: dict[str, dict[str, dict[str, float]]] = {
    "azure-evaluation": {"relevance.relevance": {"owl": 4.5, "yak": 2.5}},
    "bedrock": {"Toxicity": {"owl": -0.125, "yak": -0.625}},
    "evalscope": {"sums acc": {"owl": 1.0, "yak": 0.5}},
    "harbor": {"terminal-bench reward": {"owl · gpt": 0.75, "yak · gpt": 0.25}},
    "human-eval": {"passed": {"owl": 1.0, "yak": 0.5}},
    "mlflow-tables": {"answer_correctness": {"owl": 4.5, "yak": 2.5}},
    "mmlu-pro": {"correct": {"owl": 1.0, "yak": 0.5}},
    "openai-eval-runs": {"eval_1 match": {"owl": 0.75, "yak": 0.25}},
    "phoenix": {"correctness": {"owl": 0.75, "yak": 0.25}},
    "tau-bench": {"airline reward": {"owl": 0.75, "yak": 0.25}},
    "tau2-bench": {"retail reward": {"owl": 0.75, "yak": 0.25}},
    "terminal-bench": {"is_resolved": {"owl · gpt": 1.0, "yak · gpt": 0.5}},
    "vertex": {"coherence": {"owl": 4.5, "yak": 2.5}},
    "verifiers": {"sums reward": {"owl": 0.75, "yak": 0.5}},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_have_the_means_computed_by_hand(name: str, tmp_path: Path) -> None:
    assert means(format_called(name).example(tmp_path)) == EXAMPLES[name]


def _programs(path: Path, passed: dict[str, list[bool]]) -> Path:
    lines = [
        {"task_id": task, "completion": "…", "result": "…", "passed": each}
        for task, several in passed.items()
        for each in several
    ]
    return write_lines(path, lines)


def test_several_programs_for_a_task_are_repeats(tmp_path: Path) -> None:
    """Owl: (1/2 + 1) / 2."""
    _programs(tmp_path / "owl.jsonl", {"a": [True, False], "b": [True, True]})
    _programs(tmp_path / "yak.jsonl", {"a": [False, False], "b": [True, False]})
    assert means(tmp_path)["passed"] == {"owl": 0.75, "yak": 0.25}
    assert "Systems were scored up to 2 times on an item" in found(tmp_path)["repeats-averaged"]


def test_tables_with_a_system_or_further_numbers_are_no_results_of_human_eval(tmp_path: Path) -> None:
    line = {"task_id": "a", "completion": "…", "passed": True}
    for more in ({"model": "owl"}, {"quality": 0.5}):
        path = write_lines(tmp_path / "table.jsonl", [{**line, **more}, {**line, **more, "task_id": "b"}])
        assert "there is no file of human-eval" in refused(path, format="human-eval")
    path = write_lines(tmp_path / "table.jsonl", [{**line, "completion_id": 0}])
    assert "there is no file of human-eval" not in refused(path)


def test_parts_of_a_run_are_one_system_and_runs_of_one_model_are_two(tmp_path: Path) -> None:
    def rows(first: int, *right: bool) -> list[dict[str, Any]]:
        return [
            {"question_id": first + place, "options": [], "answer": "A", "answer_index": 0, "pred": "A" if ok else "B"}
            for place, ok in enumerate(right)
        ]

    for model, right in (("owl", (True, True)), ("yak", (True, False))):
        write_json(tmp_path / "parts" / model / "law_result.json", rows(0, right[0]))
        write_json(tmp_path / "parts" / model / "art_result.json", rows(1, right[1]))
    assert means(tmp_path / "parts") == {"correct": {"owl": 1.0, "yak": 0.5}}
    write_json(tmp_path / "parts" / "owl" / "again_result.json", rows(0, False, False))
    assert sorted(means(tmp_path / "parts")["correct"].values()) == [0.0, 0.5, 1.0, 1.0]


def test_answers_that_were_not_found_count_as_wrong_and_are_counted(tmp_path: Path) -> None:
    for model, said in (("owl", ("A", None)), ("yak", (None, None))):
        rows = [
            {"question_id": place, "options": [], "answer": "A", "answer_index": 0, "pred": pred}
            for place, pred in enumerate(said)
        ]
        write_json(tmp_path / f"model_outputs_{model}_5shots.json", rows)
    assert means(tmp_path) == {"correct": {"owl": 0.5, "yak": 0.0}}
    assert found(tmp_path)["unanswered"].startswith("3 results have no answer: none was found in the output;")


def test_domains_of_tau_bench_are_data_sets_and_models_are_in_names_of_files(tmp_path: Path) -> None:
    def trials(policy: str, *rewards: float) -> list[dict[str, Any]]:
        traj = [{"role": "system", "content": f"# {policy} agent policy"}]
        return [
            {"task_id": place, "reward": reward, "info": {}, "traj": traj, "trial": 0}
            for place, reward in enumerate(rewards)
        ]

    for model, rewards in (("owl", (1.0, 0.0)), ("yak-2", (1.0, 1.0))):
        name = f"tool-calling-{model}-0.0_range_0--1_user-gpt-4o-llm_0612073827"
        write_json(tmp_path / "runs" / f"{name}.json", trials("Retail", *rewards))
        failed = {"task_id": 9, "reward": 0.0, "info": {"error": "…"}, "traj": [], "trial": 0}
        airline = [failed, *trials("Airline", *reversed(rewards))]
        write_json(tmp_path / "runs" / f"{model}-airline.json", airline)
    assert means(tmp_path / "runs") == {
        "airline reward": {"owl": 1 / 3, "yak-2": 2 / 3},
        "retail reward": {"owl": 0.5, "yak-2": 1.0},
    }
    assert found(tmp_path / "runs")["unanswered"].startswith(
        "2 results have no answer: the trial failed before it began;"
    )


def test_simulations_may_be_files_beside_the_results(tmp_path: Path) -> None:
    for model, reward in (("owl", 1.0), ("yak", None)):
        info = {"agent_info": {"llm": model}, "environment_info": {"domain_name": "retail"}}
        write_json(tmp_path / model / "results.json", {"timestamp": "", "info": info, "tasks": []})
        for task in ("40", "41"):
            simulation = {"id": task, "task_id": task, "trial": 0, "termination_reason": "user_stop", "mode": "x"}
            reward_info = {"reward": reward} if reward is not None or task == "40" else None
            simulation["reward_info"] = reward_info if reward is not None or task == "41" else {"reward": 0.5}
            write_json(tmp_path / model / "simulations" / f"{task}.json", simulation)
    assert means(tmp_path) == {"retail reward": {"owl": 1.0, "yak": 0.5}}
    assert found(tmp_path)["unscored"].startswith("1 result is missing: the simulation has no reward;")
    write_json(tmp_path / "alone.json", {"timestamp": "", "info": info, "tasks": []})
    assert "the run holds no simulations." in refused(tmp_path / "alone.json")


def test_trials_of_harbor_are_repeats_and_those_without_a_reward_count_0(tmp_path: Path) -> None:
    jobs = format_called("harbor").example(tmp_path)
    trial = json.loads((jobs / "owl" / "task-0__aBcDeF0" / "result.json").read_text())
    write_json(jobs / "owl" / "task-0__zZzZzZ9" / "result.json", {**trial, "verifier_result": None})
    write_json(jobs / "owl" / "result.json", {"stats": {}, "n_total_trials": 3})
    write_json(jobs / "owl" / "task-0__zZzZzZ9" / "verifier" / "ctrf.json", {"tests": []})
    assert means(jobs) == {"terminal-bench reward": {"owl · gpt": 0.5, "yak · gpt": 0.25}}
    assert found(jobs)["unanswered"].startswith("1 result has no answer: the trial ended without a reward;")
    assert "files-ignored" not in found(jobs)


def test_trials_of_terminal_bench_without_a_result_are_not_resolved(tmp_path: Path) -> None:
    runs = format_called("terminal-bench").example(tmp_path)
    document = json.loads((runs / "owl" / "results.json").read_text())
    document["results"][0]["is_resolved"] = None
    write_json(runs / "owl" / "results.json", document)
    (runs / "yak" / "run_metadata.json").unlink()
    assert means(runs) == {"is_resolved": {"owl · gpt": 0.5, "yak": 0.5}}
    assert "unanswered" in found(runs)


def test_evaluators_of_azure_are_metrics_and_harms_are_turned_round(tmp_path: Path) -> None:
    for system, harm in (("owl", 1), ("yak", 6)):
        rows = [
            {
                "inputs.query": query,
                "outputs.violence.violence_score": harm,
                "outputs.violence.violence_threshold": 3,
                "outputs.f1.f1_score": score,
                "outputs.f1.f1_reason": "…",
            }
            for query, score in (("a", 0.5), ("b", None), ("c", 0.5))
        ]
        write_json(tmp_path / f"{system}.json", {"rows": rows, "metrics": {}})
    assert means(tmp_path) == {
        "f1.f1_score": {"owl": 0.5, "yak": 0.5},
        "violence.violence_score": {"owl": -1.0, "yak": -6.0},
    }
    assert found(tmp_path)["unscored"].startswith("2 results are missing: the evaluator gave none;")


def test_output_items_come_in_pages_with_names_of_graders(tmp_path: Path) -> None:
    def item(number: int, model: str, run: str, results: list[dict[str, Any]]) -> dict[str, Any]:
        about = {"object": "eval.run.output_item", "eval_id": "e", "run_id": run, "datasource_item_id": number}
        return {**about, "results": results, "sample": {"model": model}}

    name = "Match-0f8fad5b-d9cb-469f-a165-70867728950e"
    data = [
        item(number, model, run, [{"name": name, "passed": passed, "score": None}])
        for model, run, passed in (("owl", "1", True), ("owl", "2", False), ("yak", "3", True))
        for number in (1, 2)
    ]
    write_json(tmp_path / "page.json", {"object": "list", "data": data})
    assert means(tmp_path / "page.json") == {"e Match": {"owl (1)": 1.0, "owl (2)": 0.0, "yak": 1.0}}


def test_tables_of_mlflow_are_called_like_runs_and_leave_readability_out(tmp_path: Path) -> None:
    columns = ["request_id", "toxicity/v1/score", "ari_grade_level/v1/score"]
    for run, score in (("a1", 0.25), ("b2", 0.5)):
        table = {"columns": columns, "data": [["x", score, 9.5], ["y", None, 3.5]]}
        write_json(tmp_path / "mlruns" / run / "artifacts" / "eval_results_table.json", table)
    assert means(tmp_path / "mlruns") == {"toxicity": {"a1": -0.25, "b2": -0.5}}
    assert bt.read(tmp_path / "mlruns").tables[0].items == ("row 1", "row 2")


def test_subsets_of_evalscope_are_one_data_set_where_a_report_names_it(tmp_path: Path) -> None:
    def review(number: int, score: float) -> dict[str, Any]:
        return {"index": number, "input": "", "target": "", "sample_score": {"score": {"value": {"acc": score}}}}

    for model, scores in (("owl", (1.0, 0.0)), ("yak", (0.5, 1.0))):
        for subset, score in zip(("Level 1", "Level 2"), scores, strict=True):
            write_lines(tmp_path / "reviews" / model / f"math_500_{subset}.jsonl", [review(0, score), review(1, score)])
    assert len(means(tmp_path)) == 2
    for model in ("owl", "yak"):
        write_json(tmp_path / "reports" / model / "math_500.json", {"score": 0.5})
    assert means(tmp_path) == {"math_500 acc": {"owl": 0.5, "yak": 0.75}}
    assert found(tmp_path) == {}
    failed = {"index": 2, "input": "", "target": "", "sample_score": {"score": {"value": {}}}}
    write_lines(tmp_path / "reviews" / "owl" / "math_500_Level 3.jsonl", [failed])
    assert found(tmp_path)["unscored"].startswith("1 result is missing: the sample has none;")


def test_repetitions_of_phoenix_are_repeats_and_its_tables_hold_the_same(tmp_path: Path) -> None:
    """Owl: ((1 + 0.5) / 2 + 0.25) / 2. A label alone is no score, and a run that failed has no annotations."""
    for system, scores in (("owl", (1.0, 0.5, 0.25)), ("yak", (0.5, 0.25, None))):
        runs = [
            {
                "example_id": example,
                "repetition_number": number,
                "reference_output": {},
                "output": "…",
                "annotations": [],
            }
            for example, number in (("a", 1), ("a", 2), ("b", 1))
        ]
        rows = ["example_id,repetition_number,reference_output,output,annotation_hit_score,annotation_tone_score"]
        for run, score in zip(runs, scores, strict=True):
            if score is not None:
                run["annotations"] = [{"name": "hit", "score": score}, {"name": "tone", "score": None, "label": "x"}]
            rows.append(f"{run['example_id']},{run['repetition_number']},{{}},…,{'' if score is None else score},")
        write_json(tmp_path / "json" / f"{system}.json", runs)
        (tmp_path / "csv").mkdir(exist_ok=True)
        (tmp_path / "csv" / f"{system}.csv").write_text("\n".join(rows))
    for folder in ("json", "csv"):
        assert means(tmp_path / folder) == {"hit": {"owl": 0.5, "yak": 0.375}}
        assert found(tmp_path / folder)["unscored"].startswith("1 result is missing: the task or the evaluator failed;")
        assert "repeats-averaged" in found(tmp_path / folder)


def test_rows_of_vertex_without_prompts_are_numbered_and_must_be_whole(tmp_path: Path) -> None:
    for system, score in (("owl", "4"), ("yak", "")):
        lines = ["response,fluency/score,fluency/explanation", "…,2,", f"…,{score},", "…,1,"]
        (tmp_path / f"{system}.csv").write_text("\n".join(lines))
    assert means(tmp_path)["fluency"] == {"owl": pytest.approx(7 / 3), "yak": 1.5}
    assert bt.read_scores(tmp_path).tables[0].items == ("row 1", "row 2", "row 3")
    (tmp_path / "owl.csv").write_text("response,fluency/score,fluency/explanation\n…,2\n")
    assert refused(tmp_path) == f"{tmp_path / 'owl.csv'}, row 2: has not 3 cells"


def test_files_without_scores_and_scores_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "owl_output.jsonl", [])
    path.write_text(
        json.dumps({"automatedEvaluationResult": {"scores": []}, "inputRecord": {"prompt": ""}, "modelResponses": []})
    )
    assert refused(path) == f"{path}: the files hold no scores. Check whether it was scored."
    lines = [{"task_id": "a", "completion": "", "passed": True}, {"task_id": "b", "passed": "yes"}]
    path = write_lines(tmp_path / "owl.jsonl", lines)
    assert refused(path) == f"{path}, b: passed is 'yes', which is no number; allowed: numbers, true, false and null."
