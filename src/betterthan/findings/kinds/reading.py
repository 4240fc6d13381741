"""Findings about reading: metric directions, repeats, metrics and files left out, data that differ."""

from betterthan.findings.kind import Kind

LOWER_IS_BETTER = Kind(
    "lower-is-better",
    "Less is better for some metrics",
    "info",
    "Less is better for {metrics}, {source}.",
    "If more is better, pass {option:lower_is_better=none}.",
    "A ranking by the wrong direction is upside down.",
    "Check that the direction is right, and name the metrics for which less is better with "
    "{option:lower_is_better} ({option:lower_is_better=none} if none).",
)

ROWS_WIN = Kind(
    "rows-win",
    "A matrix of wins was read with wins or losses in rows",
    "info",
    "Cells are read as {side} of their row: {example}.",
    "If it is the other way round, transpose the table.",
    "A matrix of wins does not say which side won; read the other way, the ranking is upside down.",
    "Check the example in the finding, and transpose the table if it is the wrong way round.",
)

REPEATS_AVERAGED = Kind(
    "repeats-averaged",
    "Repeated scores were averaged",
    "info",
    "Systems were scored up to {most:of time} on an item; the mean of the repeats is used ({by}).",
    "",
    "Scores of one run may be correlated, so intervals and tests allow for differences between runs, too.",
    "Check that the repeats are runs: of different metrics or tasks, name the column that distinguishes them.",
    value="most",
)

REPEATS_REDUCED = Kind(
    "repeats-reduced",
    "Repeated scores were made into one",
    "info",
    "Systems were scored up to {most:of time} on an item, and {how} of these is used; intervals are by item.",
    "",
    "What becomes of one item's repeats is taken as its score, and items as what was drawn.",
    "Report how many repeats there are, and what was done with them.",
    value="most",
)

CALLED_LIKE_SUMMARIES = Kind(
    "called-like-summaries",
    "A system is called like a statistic of others",
    "warning",
    "{systems} {number:is a system/are systems} here, although {number:its name/their names} may sum up others.",
    "If it does, leave it out with {option:exclude}.",
    "A mean of all systems is no system, and shifts the ranks of the others.",
    "Leave it out with {option:exclude}, or rename it.",
    value="number",
)

TIDIED_TABLE = Kind(
    "tidied-table",
    "The table was read without what is around it",
    "info",
    "Left out or read in another notation: {changes}.",
    "Check that this is right; if it is not, save the table alone.",
    "Spreadsheets have titles above a table, totals and notes below it, and numbers in the notation of a country.",
    "Compare the number of items with that of the file.",
)

UNNAMED_REPEATS = Kind(
    "unnamed-repeats",
    "Every score is repeated, and no column says why",
    "warning",
    "Every system has {most:of score} on every item, and no column distinguishes them: their mean is used.",
    "If they are of runs, judges or metrics, add a column that names them.",
    "Repeats of one run or judge may be correlated, and that is counted only where a column names them.",
    value="most",
)

METRICS_SKIPPED = Kind(
    "metrics-skipped",
    "Some metrics have no score per item",
    "info",
    "No score per item for {metrics}: the files hold {what} instead.",
    "Compute them from outputs and references with {verb:score}.",
    "A metric of a whole test set, such as corpus BLEU, cannot be read from single items.",
)

NUMBERS_IGNORED = Kind(
    "numbers-ignored",
    "Columns of numbers were not used",
    "warning",
    "{number:of column} of numbers {number:was/were} not used, although nothing shows that these are no scores: "
    "{columns}.",
    "If they are scores, name all columns of scores with {option:score}.",
    "A metric that is left out may rank systems differently.",
    value="number",
)

FILES_IGNORED = Kind(
    "files-ignored",
    "Some files were not read",
    "warning",
    "{number:of file} {number:was/were} not read: {files}.",
    "Check that nothing is missing.",
    "A folder may hold files of other tools, or files that are damaged.",
    "Remove files that do not belong there, or name the files to read.",
    value="number",
)

OTHER_FILES = Kind(
    "other-files",
    "The folder holds files that are no tables",
    "info",
    "Left out: {files}.",
    "",
    "Notes, scripts, settings and pictures often lie beside results.",
    "Nothing, if these files hold no results; else name the files to read.",
    value="number",
)

DATA_DIFFER = Kind(
    "data-differ",
    "Systems were tested on different data",
    "warning",
    "{items:of item} of {dataset} {items:differs/differ} between systems, although the ids are the same ({by}).",
    "Run the systems again on the same data.",
    "Scores on different data cannot be compared item by item.",
    value="items",
)

INCOMPLETE_RUNS = Kind(
    "incomplete-runs",
    "Some runs are incomplete",
    "warning",
    "{runs}: the run did not finish ({why}); what it scored was read.",
    "Run it again.",
    "An unfinished run lacks items: if it stopped at hard ones, its scores are too good.",
)

UNSCORED = Kind(
    "unscored",
    "Some results are missing",
    "info",
    "{number:of result} {number:is/are} missing: {why}; missing results are left out, not counted as 0.",
    "",
    "A failed judge or a crashed sample says nothing about the quality of an output.",
    "Run the failed items again.",
    value="number",
)

UNANSWERED = Kind(
    "unanswered",
    "Missing answers count as wrong",
    "info",
    "{number:of result} {number:has/have} no answer: {why}; {number:it counts/they count} as wrong.",
    "Scripts that draw an option at random instead print a slightly higher accuracy.",
    "Leaving out missing answers would favour systems that answer easy items only.",
    "Check whether the answers were extracted as intended.",
    value="number",
)

REPLACED_ROWS = Kind(
    "replaced-rows",
    "Repeated rows were replaced by later ones",
    "info",
    "{number:of row} {number:was/were} replaced by a later one for the same {key}.",
    "",
    "Tools append to their files: when an item is judged again, the last judgment counts.",
    "Nothing, unless the earlier judgments were meant to count too.",
    value="number",
)

RUNS_OF_ONE_SYSTEM = Kind(
    "runs-of-one-system",
    "Several runs have the same system name",
    "info",
    "{systems}: there are several runs; {chosen}.",
    "",
    "Two runs of one system are never merged silently.",
    "Read one folder at a time to compare the runs with each other.",
)

SEVERAL_REFERENCES = Kind(
    "several-references",
    "Systems were compared with different references",
    "warning",
    "Systems were compared with {number:of reference}: {references}.",
    "Check that some systems met several of them; otherwise read the files of one reference at a time.",
    "Systems that met different references are compared through them only.",
    value="number",
)

CONTROLS_LEFT_OUT = Kind(
    "controls-left-out",
    "Control items were left out",
    "info",
    "{number:of row} of control items (damaged, repeated, incomplete or tutorial ones) {number:was/were} left out.",
    "",
    "Control items test the judges, so their scores say nothing about systems.",
    "Nothing: they only serve to check the judges.",
    value="number",
)

OTHER_RANGES = Kind(
    "other-ranges",
    "Tasks on another range were left out",
    "warning",
    "{number:of task} {number:was/were} left out: the scores are no shares, as those of the other tasks are ({tasks}).",
    "Rank such tasks separately, by naming their files.",
    "A speed in words per second would outweigh all shares in a mean, and is no quality.",
    value="number",
)

SUBSETS_DIFFER = Kind(
    "subsets-differ",
    "Systems were tested on different subsets of a task",
    "info",
    "Systems were tested on different subsets of {number:of task} ({tasks}); only subsets that all of them have count.",
    "",
    "A mean over easy subsets cannot be compared with one over hard subsets.",
    "Run the systems on the same subsets.",
    value="number",
)

ITEMS_INFERRED = Kind(
    "items-inferred",
    "Files list solved items only",
    "info",
    "The files of {dataset} list what was solved: {number:of item} that any of them names {number:is/are} taken "
    "for the whole test set.",
    "Items that no system solved are not among them, so all scores are too high by the same factor.",
    "A list of solved items does not say which others there were.",
    "Compare systems with each other; do not quote the scores as shares of the benchmark.",
    value="number",
)

BOARDS_LEFT_OUT = Kind(
    "boards-left-out",
    "Some boards were left out",
    "info",
    "{number:of board} {number:was/were} left out, because {number:it has/they have} scores of one {why} only: "
    "{boards}.",
    "",
    "One system cannot be ranked, and one task says nothing about others.",
    "Run the other systems on these tasks too, or read the files of these tasks alone.",
    value="number",
)

JUDGES_AVERAGED = Kind(
    "judges-averaged",
    "Scores are means over judges",
    "info",
    "Scores are means over up to {most:of judge} per item ({judges:,} in all).",
    "See how far judges agree with {verb:diagnose}, and put them on one scale with {option:standardise=True}.",
    "With few judges, the taste of one can decide a ranking, and other judges might rank otherwise.",
    "See how far judges agree with {verb:diagnose}, put them on one scale with {option:standardise=True}, or collect "
    "ratings of more judges.",
    value="judges",
)

ANNOTATIONS_LEFT_OUT = Kind(
    "annotations-left-out",
    "Some annotations were left out",
    "info",
    "{number:of annotation} {number:was/were} left out: {why}.",
    "",
    "Annotation tools keep what was skipped, discarded, saved as a draft or reset beside what was submitted.",
    "Nothing, unless the annotations were meant to count: then submit them in the tool and export again.",
    value="number",
)

STATUS_UNKNOWN = Kind(
    "status-unknown",
    "Drafts may be among the annotations",
    "warning",
    "The file does not say which of {number:of response} {number:was/were} submitted, so drafts and discarded ones may "
    "be among them.",
    "Export flat records, which keep the status: records.to_list(flatten=True) or to_datasets().",
    "Some exports lose the status of a response.",
    value="number",
)

OUTLYING_ITEMS_LEFT_OUT = Kind(
    "outlying-items-left-out",
    "Items are left out because of their scores",
    "warning",
    "{number:of item} {number:is/are} left out, because a system's score on {number:it is/them is} beyond 1.5 IQR of "
    "its scores: {items:names}.",
    "Report the results with all items, too.",
    "Items chosen by their scores are no sample of others: means and intervals hold for the items that are left, and "
    "differences may be too clear.",
    value="number",
)

DATA_CHANGED = Kind(
    "data-changed",
    "The data differ from those of the plan",
    "warning",
    "The plan or signature was made for other data: its digest is {planned}, the digest of these data is {found}.",
    "To repeat the earlier result, use the same files and the same options for reading them.",
    "The same options on other data, or on data read in another way, give another result.",
)

VERSION_CHANGED = Kind(
    "version-changed",
    "Another version printed the signature",
    "info",
    "Version {planned} of betterthan printed the signature of the plan; this is version {found}.",
    "To repeat the earlier result exactly, install that version.",
    "A later version may compute some results in another way; its changelog says which.",
)

JUDGMENTS_ADDED = Kind(
    "judgments-added",
    "New judgments were added to known ones",
    "info",
    "{number:of judgment} of {name} {number:was/were} added to {known:of known judgment}{systems}.",
    "",
    "The ranking rests on all of them, and is the same as if all had been ranked at once.",
    "Nothing, if the new judgments were not among the known ones: judgments in both count twice.",
    value="number",
)

NAMES_UNUSED = Kind(
    "names-unused",
    "Names are given for systems that the evidence does not have",
    "info",
    "{file} names {systems:names}, which the evidence does not have.",
    "Check their spelling, or ignore this if they were left out.",
    "A name that is spelled differently is not shown.",
    "Check the spelling of the systems.",
)
