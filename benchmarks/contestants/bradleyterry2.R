# BradleyTerry2 as its authors document it: a table of wins, countsToBinomial, BTm. R has no reader of Parquet here, so it
# reads CSV. Ties are half a win for each side; everything counts twice, because the table holds whole numbers.
suppressMessages(library(BradleyTerry2))
votes <- read.csv(commandArgs(trailingOnly = TRUE)[1])
tied <- votes$winner == "tie"
left <- ifelse(votes$winner == "model_b", votes$model_b, votes$model_a)
right <- ifelse(votes$winner == "model_b", votes$model_a, votes$model_b)
names <- sort(unique(c(left, right)))
winner <- factor(c(left, ifelse(tied, right, left)), levels = names)
loser <- factor(c(right, ifelse(tied, left, right)), levels = names)
counts <- countsToBinomial(xtabs(~ winner + loser))
fitted <- BTm(cbind(win1, win2), player1, player2, data = counts)
strengths <- BTabilities(fitted)
write.csv(strengths)
