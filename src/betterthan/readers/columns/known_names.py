"""Names that are known to be systems or benchmarks: evidence that columns of numbers are scores at all."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from betterthan.readers.columns.roles import name_set, normal

#: Words in the names of systems: families of models, methods, and what papers call their own.
_SYSTEMS = name_set(
    """
    system systems sys model method methods algorithm algo approach baseline ours proposed variant candidate engine
    bot assistant checkpoint ckpt finetuned zeroshot fewshot chatbot pipeline prompt gpt chatgpt llama claude gemini
    gemma mistral mixtral qwen phi falcon vicuna alpaca deepseek grok nova command cohere palm bard opus sonnet haiku
    davinci curie babbage dolly koala mpt bloom bloomz opt pythia olmo yi baichuan chatglm glm internlm solar zephyr
    starcoder codellama codex wizardlm wizardcoder starling orca hermes kimi minimax nemotron jamba bert roberta
    albert electra deberta xlnet bart pegasus t5 flan mt5 byt5 nllb marian m2m madlad tower deepl google bing
    microsoft azure amazon baidu youdao reverso apertium moses opennmt fairseq transformer svm svc svr knn rf
    randomforest xgb xgboost lightgbm lgbm catboost gbm gbdt mlp cnn rnn lstm gru resnet vgg densenet vit efficientnet
    mobilenet inception alexnet swin convnext clip yolo nb naivebayes c45 cart ripper logreg lasso ridge elasticnet
    adaboost bagging tabpfn tabnet autogluon autosklearn tpot flaml h2o svd nmf als bpr bm25 tfidf splade colbert dpr
    contriever arima sarima ets theta prophet snaive nbeats nhits deepar tft patchtst chronos timesfm moirai timegpt
    dlinear informer autoformer dqn ppo sac td3 ddpg a2c a3c rainbow impala cmaes nsga pso bohb smac hyperopt optuna
    turbo whisper wav2vec hubert conformer kaldi diffusion sdxl dalle midjourney imagen flux gan vae
    """
)
#: Stems of numbered names that are those of systems: system1, system2.
_NUMBERED = name_set(
    """
    s system sys model method algorithm algo approach variant candidate engine bot player team
    """
)
_BENCHMARKS = name_set(
    """
    mmlu gsm arc hellaswag truthfulqa winogrande humaneval mbpp math bbh gpqa ifeval musr drop boolq piqa siqa squad
    triviaqa nq naturalquestions glue superglue cola sst mrpc qqp stsb mnli qnli rte wnli wic copa xnli xcopa flores
    wmt iwslt mteb beir msmarco trec imagenet cifar coco ade mnist cityscapes kitti arena alpacaeval ceval cmmlu
    agieval swebench livecodebench aime amc mmmu vqa docvqa chartqa textvqa mathvista mmbench longbench ruler niah
    lambada openbookqa obqa race hotpotqa musique quac coqa narrativeqa cnndm xsum samsum librispeech voxceleb
    commonvoice toolbench bfcl webarena gaia tau theoremqa minerva mathqa svamp asdiv aqua logiqa csqa strategyqa
    simpleqa
    """
)
_NUMERAL = re.compile(r"(\D+?)[\s._-]*\d+")


@lru_cache(maxsize=1 << 14)
def _words(name: str) -> frozenset[str]:
    """Return the words of a name, also joined with the numbers after them: T5, wav2vec."""
    folded = normal(name)
    parts = [part for word in re.split(r"\W+|_", name.lower()) if word for part in (word, re.sub(r"\d.*", "", word))]
    return frozenset([*folded.split("_"), folded.replace("_", ""), *parts])


def is_system(name: str) -> bool:
    """Return whether a name is known to be that of a system.

    >>> is_system("gpt-4o-mini"), is_system("System A"), is_system("income")
    (True, True, False)
    """
    return bool(_words(name) & _SYSTEMS)


def is_benchmark(name: str) -> bool:
    """Return whether a name is known to be that of a benchmark.

    >>> is_benchmark("GSM8K"), is_benchmark("ARC-Challenge"), is_benchmark("hp")
    (True, True, False)
    """
    return bool(_words(name) & _BENCHMARKS)


def mostly_systems(names: Iterable[str]) -> bool:
    """Return whether more than half of the names are known to be systems."""
    known = [is_system(name) for name in names]
    return 2 * sum(known) > len(known)


def numbered(names: Sequence[str]) -> list[str]:
    """Return names that differ in their number alone, as questions, judges and repeats do, but no numbered systems.

    >>> numbered(["Q1", "Q2", "owl"]), numbered(["system1", "system2"]), numbered(["gpt-3", "gpt-4"])
    (['Q1', 'Q2'], [], [])
    """
    stems = {name: normal(match[1]) for name in names if (match := _NUMERAL.fullmatch(name.strip()))}
    times = Counter(stems.values())
    return [name for name, stem in stems.items() if times[stem] > 1 and stem not in _NUMBERED and not is_system(name)]
