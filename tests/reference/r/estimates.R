# What R's packages estimate from the tables beside this folder, as JSON on standard output.
# Rscript estimates.R FOLDER_OF_TABLES; needs prefmod, psychotools, BradleyTerry2, PlackettLuce and jsonlite.
suppressMessages({
  library(prefmod)
  library(psychotools)
  library(BradleyTerry2)
  library(PlackettLuce)
})
folder <- commandArgs(trailingOnly = TRUE)[1]
table_of <- function(name) read.csv(file.path(folder, paste0(name, ".csv")), stringsAsFactors = FALSE)
named <- function(values) as.list(setNames(as.numeric(values), names(values))[!is.na(values)])

# prefmod: pattern models print a table of estimates and standard errors; this is where they keep it.
pattern <- function(model) {
  printed <- capture.output(print(model))
  rows <- printed[(grep("estimate", printed) + 1):length(printed)]
  cells <- strsplit(trimws(rows[nzchar(rows)]), " +")
  names <- sapply(cells, `[`, 1)
  se <- setNames(sapply(cells, function(row) as.numeric(row[3])), names)
  list(coef = named(setNames(as.numeric(model$result$estimate), names)), se = named(se), log_likelihood = model$ll)
}
pairs_of_rankings <- function(ranks) {
  found <- list()
  for (second in 2:ncol(ranks)) for (first in 1:(second - 1)) {
    found[[paste0(first, second)]] <- as.integer(ranks[[first]] > ranks[[second]])
  }
  as.data.frame(found)
}

salad <- table_of("salad_sex")
systems <- c("A", "B", "C", "D")
ratings <- table_of("ratings_sex")
animals <- c("owl", "yak", "elk", "fox")

invisible(capture.output(by_sex <- pattR.fit(salad[, c(systems, "sex")], 4, formel = ~sex)))
invisible(capture.output(by_both <- pattR.fit(salad[, c(systems, "sex", "region")], 4, formel = ~ sex + region)))
# Only the first two systems of every third ranking are ranked: prefmod takes the others as below them.
partial <- salad[, systems]
partial[partial > 2 & salad$subject %% 3 == 0] <- NA
invisible(capture.output(below <- pattR.fit(partial, 4)))
invisible(capture.output(rated <- pattL.fit(ratings[, c(animals, "sex")], 4, formel = ~sex, undec = TRUE)))
invisible(capture.output(pairs <- llbtPC.fit(
  cbind(pairs_of_rankings(salad[, systems]), sex = salad$sex), 4, formel = ~sex, undec = FALSE, obj.names = systems
)))
llbt <- coef(summary(pairs))

cems <- table_of("cems_counts")
schools <- sort(unique(c(cems$item_a, cems$item_b)))
cems$first <- data.frame(id = factor(cems$item_a, levels = schools))
cems$second <- data.frame(id = factor(cems$item_b, levels = schools))
bt <- suppressWarnings(BTm(
  cbind(n_a + n_tie / 2, n_b + n_tie / 2), first, second, ~id, id = "id", refcat = "Stockholm", data = cems
))

pudding <- table_of("pudding_counts")
rows <- pudding[rep(seq_len(nrow(pudding)), pudding$n_a + pudding$n_tie + pudding$n_b), ]
outcome <- unlist(lapply(seq_len(nrow(pudding)), function(at) {
  rep(c(1, 0, -1), c(pudding$n_a[at], pudding$n_tie[at], pudding$n_b[at]))
}))
puddings <- sort(unique(c(pudding$item_a, pudding$item_b)))
# psychotools wants one row per judge and a column per pair; a judge here answers one pair.
pair <- match(paste(rows$item_a, rows$item_b), paste(pudding$item_a, pudding$item_b))
of_pair <- combn(length(puddings), 2)
of_pair <- of_pair[, order(of_pair[2, ], of_pair[1, ])] # 1:2, 1:3, 2:3, 1:4, …
column <- match(paste(pudding$item_a, pudding$item_b), paste(puddings[of_pair[1, ]], puddings[of_pair[2, ]]))
answers <- matrix(NA_real_, nrow(rows), ncol(of_pair))
answers[cbind(seq_len(nrow(rows)), column[pair])] <- outcome
davidson <- btmodel(paircomp(answers, labels = puddings, mscale = c(-1, 0, 1)), undecided = TRUE, ref = "p6")

luce <- PlackettLuce(as.rankings(as.matrix(salad[, systems])), npseudo = 0)

cat(jsonlite::toJSON(list(
  "prefmod.pattR.sex" = pattern(by_sex),
  "prefmod.pattR.sex_region" = pattern(by_both),
  "prefmod.pattR.partial" = pattern(below),
  "prefmod.pattL.sex" = pattern(rated),
  "prefmod.llbtPC.sex" = list(
    coef = named(llbt[, 1]), se = named(llbt[, 2]), deviance = deviance(pairs), df = df.residual(pairs)
  ),
  "BradleyTerry2.cems" = list(
    coef = named(coef(bt)), se = named(sqrt(diag(vcov(bt)))), deviance = deviance(bt)
  ),
  "psychotools.pudding" = list(
    coef = named(coef(davidson)), log_likelihood = as.numeric(logLik(davidson))
  ),
  "PlackettLuce.salad" = list(
    coef = named(coef(luce, ref = "D")), log_likelihood = as.numeric(logLik(luce))
  ),
  packages = sapply(
    c("prefmod", "psychotools", "BradleyTerry2", "PlackettLuce"), function(name) as.character(packageVersion(name)), USE.NAMES = TRUE
  ) |> as.list()
), auto_unbox = TRUE, digits = 12, pretty = TRUE), "\n")
