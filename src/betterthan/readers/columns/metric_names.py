"""Names of metrics, and whether less of each is better: the one table that every reader uses.

To add a metric, add its name to `_LESS` or `_MORE`, in the spelling of `normal`. Words around a name, such as the split
in `test_wer` or the system in `owl_mae`, need no entries.
"""

import re
from functools import lru_cache
from typing import Literal

from betterthan.readers.columns.roles import name_set, normal

#: Whether less or more of a metric is better.
Direction = Literal["less", "more"]

#: Metrics for which less is better.
_LESS = name_set(
    """
    perplexity ppl word_perplexity byte_perplexity bits_per_byte bpb bits_per_character bpc bits_per_dim bpd loss nll
    negative_log_likelihood log_loss logloss cross_entropy crossentropy xent hinge_loss kl kl_divergence kld
    js_divergence jsd divergence deviance aic bic aicc dic waic wer cer ter mer wil der eer per pwer hter fer minwer
    word_error_rate character_error_rate phoneme_error_rate translation_edit_rate match_error_rate
    diarization_error_rate equal_error_rate far frr fpr fnr mindcf error errors err error_rate misclassification
    misclassification_rate zero_one_loss hamming_loss edit_distance edit_dist levenshtein levenshtein_distance
    hamming_distance distance dist mae mse rmse mape smape mase msis mis nrmse nmae nmse nd wmape wape rmsle msle
    rmspe mdae medae mdape medianae rse rrse rae mrae relmae relrmse owa crps mean_wql wql w_ql mean_w_ql
    mean_w_quantile_loss w_quantile_loss mean_weighted_sum_quantile_loss pinball_loss pinball quantile_loss
    weighted_quantile_loss energy_score sql scaled_pinball_loss wspl absolute_error squared_error mean_absolute_error
    mean_squared_error root_mean_squared_error mean_absolute_percentage_error symmetric_mean_absolute_percentage_error
    mean_absolute_scaled_error normalized_root_mean_squared_error median_absolute_error max_error relative_error
    mean_error bias_error brier brier_score ece ace mce calibration_error expected_calibration_error miscalibration
    fid kid fvd fad lpips dists niqe brisque piqe frechet_distance frechet_inception_distance
    kernel_inception_distance sfid cfid clean_fid fid_score mmd emd chamfer chamfer_distance hausdorff
    hausdorff_distance hd_95 assd wasserstein wasserstein_distance epe aepe end_point_error endpoint_error aee abs_rel
    sq_rel rmse_log ade fde minade minfde ate rpe mpjpe pa_mpjpe mpvpe collision_rate collisions mcd
    mel_cepstral_distortion latency runtime run_time duration seconds execution_time evaluation_time response_time
    training_time train_time inference_time fit_time score_time predict_time elapsed elapsed_time wall_time wall_clock
    wall_clock_time cpu_time time time_taken total_time ttft tpot time_to_first_token walltime solve_time
    time_to_solution par_2 par_10 cost costs total_cost price api_cost dollars usd tokens_used flops gflops memory
    memory_usage peak_memory energy_used energy_consumption carbon co_2_emissions emissions toxicity toxicity_score
    max_toxicity hallucination hallucination_rate hallucinations harmfulness refusal_error attack_success_rate
    violations violation_rate jailbreak_rate unsafe_rate regret simple_regret cumulative_regret normalized_regret
    inference_regret optimality_gap gap_to_optimal avg_rank average_rank mean_rank avg_ranking average_ranking
    mean_ranking median_rank rank ranking mqm_penalty penalty penalties n_errors num_errors error_count errors_count
    mistakes num_mistakes failures failed failure_rate fail_rate timeouts crashes bugs retries human_edits post_edits
    post_edit_time overlap_rate duplication repetition repetition_rate self_bleu makespan wirelength tardiness stress
    false_positives false_negatives false_positive_rate false_negative_rate false_alarm_rate miss_rate fpr_95
    fpr_at_95
    """
)
#: Metrics for which more is better.
_MORE = name_set(
    """
    bleu sacrebleu spbleu codebleu bleu_score chrf chrf_pp chr_f chrf_score chr_f_pp comet comet_qe cometkiwi xcomet
    bleurt meteor rouge rouge_1 rouge_2 rouge_l rouge_lsum rougel rougelsum bertscore bert_score bartscore moverscore
    yisi prism cider spice clipscore clip_score clip_i clip_t dino parent nist gleu accuracy acc acc_norm
    balanced_accuracy bal_acc top_1 top_5 top_1_acc top_5_acc acc_1 acc_5 subset_accuracy f_1 f_1_score fscore f_score
    f_beta precision recall sensitivity specificity tpr tnr ppv npv exact_match em quasi_exact_match
    prefix_exact_match mcc matthews matthews_corrcoef kappa cohen_kappa quadratic_weighted_kappa qwk auc auroc roc_auc
    auc_roc aucpr pr_auc auprc average_precision gini ks ndcg n_dcg dcg mrr map hit_rate hits hits_1 hits_10
    success_rate coverage recip_rank rbp bpref err_20 infap ap map_50 r_2 r_2_score rsquared explained_variance
    pearson spearman kendall pearsonr spearmanr correlation corr cosine_sim faithfulness answer_relevancy
    context_recall context_precision answer_correctness groundedness relevance coherence fluency helpfulness helpful
    harmlessness honesty informativeness adequacy consistency naturalness engagement correctness factuality usefulness
    readability grammaticality truthfulness similarity semantic_similarity win_rate winrate lc_win_rate pass_1 pass_10
    pass_100 pass_rate resolved resolved_rate solved solve_rate main_score mos dmos cmos smos nisqa utmos pesq stoi
    estoi sdr si_sdr si_snr snr psnr ssim ms_ssim vif vmaf iou miou mean_iou dice dsc jaccard pq map_75
    inception_score is_score nsd reward return returns episode_reward episode_return mean_reward likelihood
    log_likelihood loglikelihood elbo throughput tokens_per_second speedup samples_per_second qps fps bits_saved
    compression_ratio hypervolume hv v_measure nmi ari ami silhouette purity elo elo_rating rating score neg_log_loss
    neg_mean_squared_error neg_root_mean_squared_error neg_mean_absolute_error neg_brier_score
    """
)
#: Words around a metric's name that change neither its meaning nor its direction.
_AROUND = name_set(
    """
    test tests val valid validation dev train training eval evaluation holdout heldout oos cv fold mean avg average
    median total overall final best weighted macro micro samples raw pct percent percentage norm normalized normalised
    scaled log value values score scores metric metrics rate ms s sec secs seconds min mins minutes h hours us ns usd
    eur gb mb kwh at all per item sample sentence segment corpus strict flexible lower upper none filter extract
    remove whitespace custom public private
    """
)
#: Words in names of metrics that are likely to be errors or costs, but are not known.
_ERROR_LIKE = name_set(
    """
    error errors err loss losses distance dist divergence regret cost costs latency penalty penalties failure failures
    failed mistakes violation violations time runtime duration perplexity residual residuals deviation distortion risk
    rank gap hallucination hallucinations toxicity entropy complexity overhead delay waste misses
    """
)
#: Words that turn an error into its opposite.
_OPPOSITE = name_set(
    """
    1 neg negative no non without reduction reduced correction corrected recovery saved free minus inverse
    """
)
#: Names may say it themselves.
_STATED: dict[str, Direction] = {"↓": "less", "↑": "more", "lower_is_better": "less", "higher_is_better": "more"}
#: Metrics with versions in their names.
_LESS_FAMILIES = ("metricx", "metric_x")
_PARAMETERS = re.compile(r"\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|[@,=<>].*$")


@lru_cache(maxsize=1 << 12)
def known_direction(metric: str) -> Direction | None:
    """Return whether less or more of a metric is better, None if its name is not known.

    >>> known_direction("WER"), known_direction("x/MAE[0.5]"), known_direction("val_accuracy"), known_direction("glow")
    ('less', 'less', 'more', None)
    """
    if (said := _said(metric)) is not None:
        return said
    return next((_direction(part) for name in _names(metric) if (part := _part(name))), None)


def is_error_like(metric: str) -> bool:
    """Return whether an unknown name sounds like an error or a cost, so that its direction must be given.

    >>> is_error_like("docking_error_free"), is_error_like("glow")
    (True, False)
    """
    return known_direction(metric) is None and bool(set(normal(metric).split("_")) & _ERROR_LIKE)


def is_metric(name: str) -> bool:
    """Return whether a column is called like a metric, with nothing but its split or unit around it.

    >>> is_metric("test_wer"), is_metric("owl_wer")
    (True, False)
    """
    return _said(name) is not None or any(_direction(_core(each)) is not None for each in _names(name))


@lru_cache(maxsize=1 << 12)
def metric_beside_name(column: str) -> str:
    """Return the metric that a column is called after in addition to something else, such as wer in owl_wer.

    >>> metric_beside_name("owl_wer"), metric_beside_name("ppl_yak"), metric_beside_name("test_wer")
    ('wer', 'ppl', '')
    """
    return "" if is_metric(column) else _part(normal(column))


def _said(metric: str) -> Direction | None:
    """Return the direction that the name itself states, such as FID ↓."""
    folded = normal(metric)
    return next((way for sign, way in _STATED.items() if sign in metric or sign in folded), None)


def _names(metric: str) -> list[str]:
    """Return the forms of a name: whole, without parameters, and after its last slash or dot."""
    plain = _PARAMETERS.sub("", metric)
    last = re.split(r"[/|:]|\.(?=[A-Za-z])", plain)[-1]
    return list(dict.fromkeys(filter(None, (normal(each) for each in (metric, plain, last)))))


def _direction(name: str) -> Direction | None:
    return "less" if name in _LESS or name.startswith(_LESS_FAMILIES) else "more" if name in _MORE else None


def _core(name: str) -> str:
    """Return a name without the words around it, as long as what is left is not known."""
    words = name.split("_")
    while len(words) > 1 and _direction("_".join(words)) is None:
        if words[-1] in _AROUND or words[-1].isdigit():
            words = words[:-1]
        elif words[0] in _AROUND:
            words = words[1:]
        else:
            break
    return "_".join(words)


def _part(name: str) -> str:
    """Return the longest known metric at the end of a name, else at its beginning; empty without any."""
    words = name.split("_")
    if _direction(_core(name)) is not None:
        return _core(name)
    if _OPPOSITE & set(words):
        return ""
    sizes = range(len(words) - 1, 0, -1)
    parts = [_core("_".join(words[-size:])) for size in sizes] + [_core("_".join(words[:size])) for size in sizes]
    return next((part for part in parts if _direction(part) is not None), "")
