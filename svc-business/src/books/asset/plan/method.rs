//! How an asset loses value, and how often that is written down.

/// How an asset loses value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The same in every month: `straight_line`
    #[default]
    StraightLine,
    /// A percentage of what is left: `declining_balance`
    DecliningBalance,
    /// By the years that are left: `sum_of_years`
    SumOfYears,
    /// Not at all: `none`
    None,
}

svc_core::wire_names!(Method {
    StraightLine = "straight_line",
    DecliningBalance = "declining_balance",
    SumOfYears = "sum_of_years",
    None = "none",
});

/// In which order years weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum YearWeights {
    /// The first year weighs most: `descending`
    #[default]
    Descending,
    /// The last year weighs most: `ascending`
    Ascending,
}

svc_core::wire_names!(YearWeights { Descending = "descending", Ascending = "ascending" });

/// How what an asset loses is spread over its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The same in every month.
    StraightLine,
    /// A percentage of what is left.
    DecliningBalance,
    /// By weights of the years.
    SumOfYears(YearWeights),
}

impl Method {
    /// The pattern of the method, weights in this order; none for what loses nothing.
    #[must_use]
    pub const fn pattern(self, weights: YearWeights) -> Option<Pattern> {
        match self {
            Self::StraightLine => Some(Pattern::StraightLine),
            Self::DecliningBalance => Some(Pattern::DecliningBalance),
            Self::SumOfYears => Some(Pattern::SumOfYears(weights)),
            Self::None => None,
        }
    }
}

impl Pattern {
    /// The method that has this pattern.
    #[must_use]
    pub const fn method(self) -> Method {
        match self {
            Self::StraightLine => Method::StraightLine,
            Self::DecliningBalance => Method::DecliningBalance,
            Self::SumOfYears(_) => Method::SumOfYears,
        }
    }

    /// The order in which its years weigh, where they do.
    #[must_use]
    pub const fn weights(self) -> Option<YearWeights> {
        match self {
            Self::SumOfYears(weights) => Some(weights),
            Self::StraightLine | Self::DecliningBalance => None,
        }
    }
}

/// How often an instalment is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Frequency {
    /// `monthly`
    Monthly,
    /// With each quarter of the fiscal year: `quarterly`
    Quarterly,
    /// With the fiscal year: `yearly`
    #[default]
    Yearly,
}

svc_core::wire_names!(Frequency { Monthly = "monthly", Quarterly = "quarterly", Yearly = "yearly" });

/// How the month in which an asset is put to use counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Proration {
    /// By the days that are left of it: `daily`
    #[default]
    Daily,
    /// Whole: `full_month`
    FullMonth,
}

svc_core::wire_names!(Proration { Daily = "daily", FullMonth = "full_month" });
