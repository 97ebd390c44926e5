"""What is doubtful about the published Table 2; printed below every table made here."""

DOUBTS = (
    "The paper does not say which shows, how many episodes or questions, which backbone, k, prompt or reference stand "
    "behind its Table 2, and neither of its repositories runs DialSim. Agreement in the absolute is no aim; at most "
    "the order of the methods is.",
    "Many questions can't be answered (four in ten of those in the logs that DialSim's authors published, which are of "
    "first episodes). Where declining counts as their right answer, declining always scores about as many points as "
    "there are such questions in a hundred (see the constant answer). The paper's rows, all below 4, then mean that "
    "such questions were left out, or that the systems hardly ever declined, or did so in words that share nothing "
    "with the reference.",
    "With the options in the prompt, others' runs of A-Mem reach an F1 of 33 to 49; the paper's 3.45 can only come "
    "from open-ended answers. Its BLEU-1 near F1, and METEOR at 0.6 of F1, point to short replies.",
    "The printed ROUGE-2 of A-Mem (3.60) is above its ROUGE-L (3.54). On short answers that can hardly be, since a "
    "shared pair of words is also a shared subsequence: that cell is suspect. The printed BLEU-1 of LoCoMo (3.13) is "
    "above its F1 (2.55), which only differences in tokenisation or repeated words allow.",
    "One show is about 340,000 tokens (the paper's 1,300 sessions and 350,000 tokens are means a show, not totals). A "
    "full-history row can't have held it in a window of 128,000; what the full-history method leaves out here stands "
    "in the trace of its recalls.",
)
