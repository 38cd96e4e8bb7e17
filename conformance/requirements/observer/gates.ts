import type { Requirements } from '../../requirement.ts'

const V2 = 'API for LLM tool use, version 2'
const BUDGETS = `${V2}, budgets`
const REDACTION = `${V2}, redaction`
const ALLOWLIST = `${V2}, allow list`

/** Restrictions of an operator: permissions, limits, redaction. */
export const gateRequirements = {
  'observer:budget:unset': {
    level: 'MUST',
    text: 'Without budgets, the status reports that none is configured.',
    source: BUDGETS,
    basis: { states: 'The field configured of budget_status reports whether budgets exist; flags switch them on.' },
    covers: ['O-E40', 'O-G1'],
  },
  'observer:budget:counts': {
    level: 'SHOULD',
    text: 'With budgets, the status counts used and remaining units.',
    source: BUDGETS,
    basis: { because: 'The document names the budgets, and leaves open the fields of each.' },
    covers: ['O-E40', 'O-G1'],
    tier: 'full',
  },
  'observer:budget:actions': {
    level: 'MUST',
    text: 'The action after the last one allowed is BudgetExceeded, 429.',
    source: BUDGETS,
    basis: { states: '--max-actions enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-X9', 'O-G1'],
    tier: 'full',
  },
  'observer:budget:every-action': {
    level: 'SHOULD',
    text: 'Actions by coordinates and keys are refused as well.',
    source: BUDGETS,
    basis: {
      because: 'The document does not specify which actions count; otherwise an agent could continue by coordinates.',
    },
    covers: ['O-G1'],
    tier: 'full',
  },
  'observer:budget:screenshots': {
    level: 'SHOULD',
    text: 'The screenshot after the last one allowed is BudgetExceeded, 429.',
    source: BUDGETS,
    basis: { because: 'The document names --max-screenshots, and does not specify which requests are refused.' },
    covers: ['O-G1', 'O-X9'],
    tier: 'full',
  },
  'observer:budget:rate': {
    level: 'MUST',
    text: 'More actions in a minute than allowed are RateLimited, 429.',
    source: BUDGETS,
    basis: { states: '--actions-per-minute enables a budget, and RateLimited is a code of the table.' },
    covers: ['O-X8', 'O-G1'],
    tier: 'full',
  },
  'observer:redaction:status': {
    level: 'MUST',
    text: 'The status reports how many patterns are active.',
    source: REDACTION,
    basis: { states: 'redaction_status has enabled, active, patterns_count, applied_count and blur_screenshots.' },
    covers: ['O-E41', 'O-G2'],
    tier: 'full',
  },
  'observer:redaction:tree': {
    level: 'MUST',
    text: 'Names and values that a pattern hits are replaced in trees.',
    source: REDACTION,
    basis: { states: 'Names, titles and roles that a pattern hits are replaced by the configured replacement.' },
    covers: ['O-G2'],
    tier: 'full',
  },
  'observer:redaction:leaks': {
    level: 'SHOULD',
    text: 'A redacted value leaves by no other way: observe, diff, snapshot, find, description, sketch, receipts, oracles.',
    source: REDACTION,
    basis: {
      because:
        'The document does not list the answers that are redacted; a secret that leaks through one of them is lost.',
    },
    covers: ['O-G2'],
    tier: 'full',
  },
  'observer:allowlist:denied': {
    level: 'MUST',
    text: 'A denied tool is PermissionDenied, 403, and has no effect.',
    source: ALLOWLIST,
    basis: { states: 'config.actions.deny forbids tools, and PermissionDenied is a code of the table.' },
    covers: ['O-X10', 'O-G4'],
    tier: 'full',
  },
  'observer:allowlist:allowed': {
    level: 'MUST',
    text: 'Tools that are not denied continue to work.',
    source: ALLOWLIST,
    basis: { states: 'config.actions.default is allow for tools that are not denied.' },
    covers: ['O-G4'],
    tier: 'full',
  },
  'observer:allowlist:ways': {
    level: 'SHOULD',
    text: 'A denied tool is denied by every way that leads to it.',
    source: ALLOWLIST,
    basis: { because: 'The document names tools, not routes; a denied tool that another route runs is not denied.' },
    covers: ['O-G4'],
    tier: 'full',
  },
  'observer:audit:log': {
    level: 'MUST',
    text: 'With an audit log every call leaves a line, without the values to be redacted.',
    source: `${V2}, audit log`,
    basis: {
      states: 'config.logging.audit switches a log on, and redact_arg_keys names arguments that it leaves out.',
    },
    covers: ['O-G3'],
    tier: 'full',
    unchecked: 'the log lies on the server’s disk',
  },
  'observer:budget:dry-run': {
    level: 'SHOULD',
    text: 'A dry run costs no action.',
    source: BUDGETS,
    basis: { because: 'The document does not specify what counts; a dry run has no effect.' },
    covers: ['O-G1', 'O-R3'],
    tier: 'full',
  },
  'observer:budget:pictures': {
    level: 'SHOULD',
    text: 'Cropped and full screenshots count against the budget too.',
    source: BUDGETS,
    basis: { because: 'The document does not specify what counts; another route could bypass the budget.' },
    covers: ['O-G1', 'O-E48', 'O-E50'],
    tier: 'full',
  },
  'observer:budget:session': {
    level: 'SHOULD',
    text: 'After the seconds of the session actions are BudgetExceeded, 429.',
    source: BUDGETS,
    basis: { states: '--max-session-seconds enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-G1', 'O-X9'],
    tier: 'full',
  },
  'observer:budget:vlm': {
    level: 'MUST',
    text: 'More tokens of a vision model than allowed are BudgetExceeded, 429.',
    source: BUDGETS,
    basis: { states: '--max-vlm-tokens enables a budget, and BudgetExceeded is a code of the table.' },
    covers: ['O-G1', 'O-X9'],
    tier: 'full',
    unchecked: 'it needs a vision model, which the suite does not have',
  },
  'observer:redaction:composites': {
    level: 'SHOULD',
    text: 'A redacted value leaves neither by the observation of a composite nor by the difference of snapshots.',
    source: REDACTION,
    basis: {
      because:
        'The document does not list the answers that are redacted; a secret that leaks through one of them is lost.',
    },
    covers: ['O-G2'],
    tier: 'full',
  },
  'observer:redaction:titles': {
    level: 'SHOULD',
    text: 'Titles that match a pattern are replaced in every list of windows.',
    source: REDACTION,
    basis: { states: 'config.redaction has window_title_patterns.' },
    covers: ['O-G2', 'O-E1'],
    tier: 'full',
  },
  'observer:redaction:pixels': {
    level: 'SHOULD',
    text: 'With blur_screenshots the pictures of a redacted element do not depend on its value.',
    source: REDACTION,
    basis: { states: 'config.redaction has blur_screenshots.' },
    covers: ['O-G2', 'O-E5'],
    tier: 'full',
  },
  'observer:allowlist:looking': {
    level: 'SHOULD',
    text: 'Denied tools that look are denied on their own routes too.',
    source: ALLOWLIST,
    basis: { because: 'The document names tools, not routes; a denied tool that another route runs is not denied.' },
    covers: ['O-G4'],
    tier: 'full',
  },
} as const satisfies Requirements
