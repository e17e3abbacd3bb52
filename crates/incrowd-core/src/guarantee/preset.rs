//! Presets: requirements of guidelines and rules by name.
//!
//! A preset adds requirements to a guarantee and questions to the report of an audit. It states where it comes from, what
//! it covers and what it does not. None of them makes a release lawful: rules have parts that no program can check.

use super::{Guarantee, Requirement, SingleBin};
use crate::choice;

/// The fewest individuals of a cell of CMS.
const CMS_CELL: u64 = 11;

/// The smallest k whose risk of re-identification, 1/k, is at most 0.09: 1/11 is above it.
const EMA_K: u64 = 12;

/// With two individuals in every span, no one is singled out.
const ANY_CROWD: u64 = 2;

/// Requirements by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Preset {
    /// No cell of 1 to 10 individuals, published or derivable.
    CmsSmallCells,
    /// A maximum risk of re-identification of 0.09.
    Ema0070,
    /// The 18 identifiers of the Safe Harbor method.
    HipaaSafeHarbor,
    /// Singling out, linkability and inference.
    Wp216,
}

choice!(Preset, "preset" {
    CmsSmallCells => "cms-small-cells", "No cell of 1 to 10 individuals, published or derivable: k and smallest bin of 11.";
    Ema0070 => "ema-0070", "A maximum risk of re-identification of 0.09: k of 12.";
    HipaaSafeHarbor => "hipaa-safe-harbor", "None of the identifiers of the Safe Harbor method in the release, as far as names and values show.";
    Wp216 => "wp216", "Which figures answer the questions on singling out, linkability and inference; k of 2.";
});

impl Preset {
    /// The requirements on spans and bins.
    pub fn requirements(self) -> Vec<Requirement> {
        let k = |k: u64| Requirement::k(k, SingleBin::Counted);
        let asked = match self {
            Self::CmsSmallCells => vec![k(CMS_CELL), Requirement::smallest_bin(CMS_CELL)],
            Self::Ema0070 => vec![k(EMA_K)],
            Self::HipaaSafeHarbor => Vec::new(),
            Self::Wp216 => vec![k(ANY_CROWD)],
        };
        asked.into_iter().flatten().collect()
    }

    /// Whether its answers follow from groups of individuals alone, and not from what a release prints.
    pub fn is_about_groups(self) -> bool {
        !matches!(self, Self::HipaaSafeHarbor)
    }

    /// Where it comes from.
    pub fn source(self) -> &'static str {
        match self {
            Self::CmsSmallCells => {
                "Centers for Medicare & Medicaid Services (CMS), cell size suppression policy: no cell of 1 to 10, and none \
                 that can be derived"
            }
            Self::Ema0070 => {
                "European Medicines Agency, external guidance on the implementation of Policy 0070: a maximum risk of \
                 re-identification of 0.09"
            }
            Self::HipaaSafeHarbor => "45 CFR 164.514(b)(2) (HIPAA Privacy Rule, Safe Harbor method)",
            Self::Wp216 => {
                "Article 29 Data Protection Working Party, Opinion 05/2014 on anonymisation techniques (WP 216)"
            }
        }
    }

    /// What it covers.
    pub fn covers(self) -> &'static str {
        match self {
            Self::CmsSmallCells => {
                "every group of individuals that the release distinguishes, every count that it states, and cells that \
                 follow from its counts"
            }
            Self::Ema0070 => {
                "the risk that an attacker who knows the public attributes re-identifies an individual of the table, at \
                 most 1/k"
            }
            Self::HipaaSafeHarbor => {
                "attributes of the release whose names are those of one of the 18 identifiers; ages above 90, postal codes \
                 of more than three digits, and dates more specific than a year that the release prints"
            }
            Self::Wp216 => {
                "singling out: every individual is in a group of at least two, by any one row and by all rows together"
            }
        }
    }

    /// What it does not cover.
    pub fn omits(self) -> &'static str {
        match self {
            Self::CmsSmallCells => {
                "cells that follow from this release together with others, percentages and other statistics outside the \
                 release, and the terms of a data use agreement"
            }
            Self::Ema0070 => {
                "the assessment of the context, of documents and free text, and of attributes that the policy does not \
                 declare public; other thresholds that a submission may have to meet"
            }
            Self::HipaaSafeHarbor => {
                "identifiers that neither names nor values show; whether the three digits of a postal code stand for more \
                 than 20,000 people, which cannot be seen in the table; and whether anyone has actual knowledge that the \
                 information identifies an individual"
            }
            Self::Wp216 => {
                "linkability with other data than the releases that are audited together, and how much inference is \
                 acceptable, which the opinion leaves to the controller"
            }
        }
    }
}

impl Guarantee {
    /// The presets.
    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    /// Returns the guarantee with a preset and its requirements. Requirements that are stronger than those of the preset
    /// stay.
    #[must_use]
    pub fn with_preset(mut self, preset: Preset) -> Self {
        for requirement in preset.requirements() {
            self = self.raised_to(requirement);
        }
        if !self.presets.contains(&preset) {
            self.presets.push(preset);
            self.presets.sort_unstable();
        }
        self
    }

    /// Returns the guarantee with those of its presets that are about the sizes of groups, which several releases together
    /// can make smaller. What a release prints, each release is judged for alone; the requirements of all presets stay.
    #[must_use]
    pub fn with_presets_of_groups(mut self) -> Self {
        self.presets.retain(|preset| preset.is_about_groups());
        self
    }

    fn raised_to(self, requirement: Requirement) -> Self {
        match (requirement, self.requirement_of_k()) {
            (Requirement::K(asked), Some(Requirement::K(own))) => {
                let k = asked.k().max(own.k());
                let raised = Requirement::k_over(k, asked.single_bin(), own.several_rows());
                raised.map_or_else(|_| self.clone(), |raised| self.clone().with(raised))
            }
            (Requirement::SmallestBin(asked), _)
                if self.asked_smallest_bin().is_some_and(|own| own >= asked.n()) =>
            {
                self
            }
            _ => self.with(requirement),
        }
    }
}
