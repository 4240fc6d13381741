"""Tables of names: metrics by their direction, known systems and benchmarks, and columns that are neither.

Names are in the spelling of `normal`. To teach betterthan a name, add it here.
"""


def name_set(names: str) -> frozenset[str]:
    """Return the names of a text, which is shorter to read and change than a list of strings."""
    return frozenset(names.split())


#: Metrics for which less is better.
LESS = name_set(
    """
    perplexity ppl word_perplexity byte_perplexity bits_per_byte bpb bits_per_character bpc bits_per_dim bpd loss nll
    negative_log_likelihood log_loss logloss cross_entropy crossentropy xent hinge_loss kl kl_divergence kld
    js_divergence jsd divergence deviance aic bic aicc dic waic wer cer ter mer wil der eer per pwer hter fer minwer
    word_error_rate character_error_rate phoneme_error_rate translation_edit_rate match_error_rate
    diarization_error_rate equal_error_rate far frr fpr fnr mindcf error errors err error_rate misclassification
    misclassification_rate zero_one_loss hamming_loss edit_distance edit_dist levenshtein_distance
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
    mel_cepstral_distortion latency latencies runtime runtimes run_time duration seconds execution_time
    evaluation_time response_time training_time train_time inference_time fit_time score_time predict_time elapsed
    elapsed_time wall_time wall_clock wall_clock_time cpu_time time times time_taken total_time ttft tpot
    time_to_first_token walltime solve_time time_to_solution par_2 par_10 cost costs total_cost price api_cost dollars
    usd tokens_used flops gflops memory memory_usage peak_memory energy_used energy_consumption carbon co_2_emissions
    emissions toxicity toxicity_score max_toxicity hallucination hallucination_rate hallucinations harmfulness
    refusal_error attack_success_rate violations violation_rate jailbreak_rate unsafe_rate regret simple_regret
    cumulative_regret normalized_regret inference_regret optimality_gap gap_to_optimal avg_rank average_rank mean_rank
    avg_ranking average_ranking mean_ranking median_rank rank ranking mqm_penalty penalty penalties n_errors
    num_errors error_count errors_count mistakes num_mistakes failures failed failure_rate fail_rate timeouts crashes
    bugs retries human_edits post_edits post_edit_time overlap_rate duplication repetition repetition_rate self_bleu
    makespan wirelength tardiness stress false_positives false_negatives false_positive_rate false_negative_rate
    false_alarm_rate miss_rate fpr_95 fpr_at_95 neg_log_likelihood cosine_distance euclidean_distance jaccard_distance
    embedding_distance compile_time load_time gpu_time processing_time prediction_time decoding_time sampling_time
    generation_time query_time build_time solver_time waiting_time reaction_time generalization_gap incorrect_rate
    """
)
#: Metrics for which more is better.
MORE = name_set(
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
AROUND = name_set(
    """
    test tests val valid validation dev train training eval evaluation holdout heldout oos cv fold mean avg average
    median total overall final best weighted macro micro samples raw pct percent percentage norm normalized normalised
    scaled log value values score scores metric metrics rate ms s sec secs seconds min mins minutes h hours us ns usd
    eur gb mb kwh at all per item sample sentence segment corpus strict flexible lower upper none filter extract
    remove whitespace custom public private
    """
)
#: Words in names of metrics that are likely to be errors or costs, but are not known.
ERROR_LIKE = name_set(
    """
    error errors err loss losses distance dist divergence regret cost costs latency penalty penalties failure failures
    failed mistakes violation violations time runtime duration perplexity residual residuals deviation distortion risk
    rank gap hallucination hallucinations toxicity entropy complexity overhead delay waste misses
    """
)
#: Words in names of metrics that are likely to be undesirable, in addition to errors.
UNDESIRABLE = name_set(
    """
    bias stereotype harm harms wrong incorrect invalid fail fails failing dropout lag jitter slowdown slowness
    effort difficulty complaints churn leakage contamination forgetting steps turns iterations downtime refusal
    refusals rejection rejections disparity disparities deception sycophancy unanswered stalls overfit overfitting
    instability drift noise defects faults issues warnings regressions conflicts corrections edits changes unsafe
    misuse lies hallucinated toxic survival evaluations evals epochs nonresponse miss stderr uncertainty sparsity
    fairness levenshtein
    """
)
#: Words for changes, which may be for the better or the worse: accuracy drop, cost savings.
CHANGES = name_set(
    """
    reduction reductions reduced decrease decreased decline degradation degraded deterioration saving savings saved
    improvement improvements improved increase increased lift uplift change delta diff difference differences gap
    ratio recovery recovered inverse inverted inv neg negative negated minus reverse reversed
    """
)
#: Other words that may turn the direction of the metric beside them: errors found, cost efficiency.
TURNING = name_set(
    """
    no non not without anti opposite save gain gains robustness robust resistance resilience tolerance immunity
    efficiency avoided avoidance prevented prevention mitigation mitigated elimination eliminated removed removal
    corrected correction fixed free found detected caught handled handling until between lost versus vs
    """
)
#: Metrics that need the words beside them: survival time, distance travelled, bias score.
WITH_CONTEXT = name_set("time times duration seconds distance dist rank ranking memory price")
#: Metrics that are never called like a system or a data set; of two that contradict each other, neither decides.
UNMISTAKABLE = name_set(
    """
    accuracy acc bleu precision recall reward coverage similarity throughput score rating correlation
    error errors loss cost costs latency wer cer perplexity regret toxicity hallucination failures penalty runtime
    """
)
#: Of what these are statistics does not matter: recall of errors, accuracy of SQL, loss of accuracy.
OF_ANYTHING = name_set(
    """
    accuracy acc balanced_accuracy f_1 f_1_score precision recall sensitivity specificity auc auroc roc_auc auprc
    pr_auc average_precision mcc kappa cohen_kappa exact_match em correlation pearson spearman kendall ndcg mrr iou
    error errors loss
    """
)
#: Words in the names of systems: families of models, methods, and what papers call their own.
SYSTEMS = name_set(
    """
    system systems sys model method methods algorithm algo approach baseline ours proposed variant candidate engine
    bot assistant checkpoint ckpt finetuned zeroshot fewshot chatbot pipeline gpt chatgpt llama claude gemini
    gemma mistral mixtral qwen phi falcon vicuna alpaca deepseek grok nova cohere palm bard opus sonnet haiku
    davinci curie babbage dolly koala mpt bloom bloomz pythia olmo yi baichuan chatglm glm internlm solar zephyr
    starcoder codellama codex wizardlm wizardcoder starling orca hermes kimi minimax nemotron jamba bert roberta
    albert electra deberta xlnet bart pegasus t5 flan mt5 byt5 nllb marian m2m madlad tower deepl google bing
    microsoft azure amazon baidu youdao reverso apertium moses opennmt fairseq transformer svm svc svr knn rf
    randomforest xgb xgboost lightgbm lgbm catboost gbm gbdt mlp cnn rnn lstm gru resnet vgg densenet vit efficientnet
    mobilenet inception alexnet swin convnext clip yolo nb naivebayes c45 cart ripper logreg lasso ridge elasticnet
    adaboost bagging tabpfn tabnet autogluon autosklearn tpot flaml h2o svd nmf als bpr bm25 tfidf splade colbert dpr
    contriever arima sarima prophet snaive nbeats nhits deepar tft patchtst chronos timesfm moirai timegpt
    dlinear informer autoformer dqn ppo sac td3 ddpg a2c a3c rainbow impala cmaes nsga pso bohb smac hyperopt optuna
    turbo whisper wav2vec hubert conformer kaldi diffusion sdxl dalle midjourney imagen flux gan vae
    """
)
#: Stems of numbered names that are those of systems: system1, system2.
NUMBERED = name_set(
    """
    s system sys model method algorithm algo approach variant candidate engine bot player team
    """
)
BENCHMARKS = name_set(
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
#: Columns that describe a row: they are never systems and need no explanation.
DESCRIBING = name_set(
    """
    source src source_text reference ref reference_text prompt question text input context language lang srclang
    trglang language_pair lp category domain split genre document doc group subject topic title comment comments note
    notes remark remarks kommentar bemerkung anmerkung commentaire remarque url section subset difficulty instruction
    """
)
#: What columns are called that hold the right values, with which predictions in other columns are compared.
TARGETS = name_set(
    """
    gold golden gold_standard goldstandard gold_label gold_score gold_value target targets target_value truth
    true_value true_label true_score ground_truth groundtruth gt y_true ytrue y_test actual actuals actual_value
    observed observation label labels expected reference references ref reference_score ref_score correct_answer
    answer_key
    """
)
#: What may be a system among others, or what the others are compared with.
TARGETS_OR_SYSTEMS = name_set("human humans human_score human_rating human_mean human_avg expert experts oracle ideal")
#: Columns that hold something other than scores of systems.
OTHER = name_set(
    """
    id idx index row no nr time tstamp timestamp date datetime turn order count counts n total num number tokens
    length len cost price latency seed epoch step age sex gender year target label gold truth answer project version
    std stderr stdev se error errors p_value pvalue weight score scores value rating rank result results correct
    success passed mean average median min max sum size params parameters prob probs words word chars page pages best
    worst winner loser duration runtime fold layer temperature confidence probability params_b prediction predictions
    predicted pred preds output outputs response responses generation completion guess extracted parsed expected
    ground_truth references hypothesis hyp solution repetition repetitions iteration attempt
    batch wave shard chunk bin quartile month week weekday day hour minute
    """
)
#: What is computed from other columns.
DERIVED = name_set("improvement delta δ diff difference gain gains change margin uplift speedup relative")
#: Names of rows and columns that sum up others, and words beside these.
SUMMARIES = name_set(
    """
    total totals subtotal grand_total overall average averages avg std stdev stddev std_dev standard_deviation sem
    standard_error variance gesamt summe mittelwert durchschnitt moyenne promedio somme insgesamt macro_average
    macro_avg micro_average micro_avg weighted_avg weighted_average mean_score overall_mean overall_score
    """
)
SUMMARY_PARTS = name_set(
    "of the all mean column columns row rows items systems score scores sum grand sub sd dev value"
)
#: Names that may sum up others, or be those of methods and tasks: what their numbers are then.
MAY_SUM_UP = {
    name: statistic
    for statistic, names in {
        "mean": "mean means all mittel media",
        "median": "median",
        "min": "min minimum",
        "max": "max maximum",
        "sum": "sum",
        "count": "count n nobs",
    }.items()
    for name in names.split()
}
#: People, questions and measurements: numbers of ordinary tables, never those of systems.
ORDINARY = name_set(
    """
    participant participants part respondent subj rater raters judge judges annotator annotators coder coders student
    patient person worker questions var variable variables x y z t u v w e lat lon long lng latitude longitude alt
    altitude height width depth area volume girth income wage salary gdp population temp humidity pressure wind speed
    day month week quarter hour minute education race treat treatment trt dose block plot sample replicate rep
    quantity qty sold stock amount units agree disagree neutral strongly_agree strongly_disagree yes no unsure
    gender sex married ethnicity religion country region reg_name state city district party species
    priority effort train dev test valid validation births deaths cases visits clicks views likes
    """
)
#: What systems are called, in addition to the names by which they are recognised.
SYSTEM_COLUMNS = name_set(
    """
    agent algorithm approach architecture assistant backend bot checkpoint classifier codec compiler engine estimator
    framework library llm lm network parser pipeline provider solver team tool modell modele modelo systeme sistema
    """
)
#: What may name systems, people, cars or clubs: other columns have to show that they were evaluated.
WEAK_SYSTEM_COLUMNS = name_set("name player team")
#: What is compared in experiments with people.
COMPARED_COLUMNS = name_set("product products brand brands condition conditions recipe variant variants stimulus arm")
#: What is never a system: people, and what systems are tested on.
NO_SYSTEM_COLUMNS = name_set(
    """
    assessor evaluator expert juror listener reviewer teacher viewer voter block position round session visit wave
    participant participants person people respondent student patient subj case line puzzle problem task test sample
    text passage paragraph image file query document row question exercise comment user rater worker topic date day
    frage fragen aufgabe satz pregunta tarea items questions tasks prompts subjects raters judges users sentences
    """
)
PEOPLE_COLUMNS = name_set(
    """
    assessor evaluator expert juror listener reviewer teacher viewer voter participant participants person people
    respondent student patient subj user rater worker subjects raters judges users
    """
)
#: What says how a result came about: no system differs in it alone, and it is no item.
SETTING_COLUMNS = name_set(
    """
    params parameters param version versions info tag tags mode status state type kind comment comments url link path
    note notes license licence format unit units currency description class league division conference region country
    """
)
DATED_COLUMNS = name_set("date dates year years month months season week utc timestamp datetime")
#: Metrics that are everyday words as well: a column called so alone does not show that systems were evaluated.
EVERYDAY_METRICS = name_set(
    """
    price cost costs hits return returns rating time times duration seconds distance memory weight map ap bugs coverage
    parent error errors risk rank ranking relevance stress speed purity value reward ks gini similarity correlation
    emissions penalties penalty failed failures elapsed dollars usd engagement consistency likelihood stimulus gap
    """
)
#: How uncertain a score is, is none.
SPREADS = name_set("std stdev stderr sd se sem var variance ci low high lower upper error_bar")
#: What scores that people give are called.
GRADES = name_set("score scores points grade grades mark marks quality punkte punktzahl puntos")
#: How columns end that identify something, or say where it is.
IDENTIFIERS = name_set("id ids uuid key code codes zip index idx number no nr port lat lon lng latitude longitude year")
