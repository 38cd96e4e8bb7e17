import type { Requirements } from '../../requirement.ts'

const CONFIRMATION = 'API for LLM tool use, version 2, confirmation tokens'

/** Actions that have to be confirmed. */
export const confirmationRequirements = {
  'observer:confirm:required': {
    level: 'MUST',
    text: 'An action on an element that a rule names is ConfirmationRequired, 412, and has no effect.',
    source: CONFIRMATION,
    basis: {
      states:
        'confirmation_required names elements by role and name_regex, and ConfirmationRequired is a code of the table.',
    },
    covers: ['O-X11', 'O-G5'],
    tier: 'full',
  },
  'observer:confirm:token': {
    level: 'MUST',
    text: 'The token of propose_action lets the action through.',
    source: CONFIRMATION,
    basis: { states: 'propose_action answers with a confirm_token, which actions take.' },
    covers: ['O-E42', 'O-G5'],
    tier: 'full',
  },
  'observer:confirm:once': {
    level: 'SHOULD',
    text: 'A token that was used is ConfirmationInvalid, 412.',
    source: CONFIRMATION,
    basis: {
      because: 'The document bounds a token by time and place only; used twice, it would confirm another action.',
    },
    covers: ['O-X12', 'O-G5'],
    tier: 'full',
  },
  'observer:confirm:spelling': {
    level: 'SHOULD',
    text: 'A rule holds for the element, however it is named, and for a click on its coordinates.',
    source: CONFIRMATION,
    basis: { because: 'A rule names elements; an agent could pass it by another spelling otherwise.' },
    covers: ['O-G5'],
    tier: 'full',
  },
  'observer:confirm:unneeded': {
    level: 'MUST',
    text: 'propose_action answers for any action, and a token that was not needed does no harm.',
    source: CONFIRMATION,
    basis: { states: 'propose_action takes any action with its args, and confirm_token is an optional argument.' },
    covers: ['O-E42'],
  },
  'observer:confirm:other': {
    level: 'MUST',
    text: 'A token for another element is ConfirmationInvalid, 412.',
    source: CONFIRMATION,
    basis: {
      states: 'A token belongs to the element that would_target names; ConfirmationInvalid is a code of the table.',
    },
    covers: ['O-X12', 'O-G5'],
    tier: 'full',
  },
  'observer:confirm:kept': {
    level: 'SHOULD',
    text: 'An attempt that fails does not use a token up.',
    source: CONFIRMATION,
    basis: { because: 'The document does not cover failed attempts; a mistake would cost the confirmation.' },
    covers: ['O-X12', 'O-G5'],
    tier: 'full',
  },
  'observer:confirm:by-id': {
    level: 'SHOULD',
    text: 'A token proposed by id fits the same element named by a selector.',
    source: CONFIRMATION,
    basis: { because: 'The token names a target; the document does not specify that its spelling matters.' },
    covers: ['O-G5', 'O-E42'],
    tier: 'full',
  },
  'observer:confirm:dry-run': {
    level: 'SHOULD',
    text: 'A dry run needs no token.',
    source: CONFIRMATION,
    basis: { because: 'The document does not specify this; a dry run has no effect to confirm.' },
    covers: ['O-G5', 'O-R3'],
    tier: 'full',
  },
  'observer:confirm:ttl': {
    level: 'SHOULD',
    text: 'After ttl_seconds a token is ConfirmationInvalid, 412.',
    source: CONFIRMATION,
    basis: { states: 'config.confirmation has ttl_seconds.' },
    covers: ['O-X12', 'O-G5'],
    tier: 'full',
  },
} as const satisfies Requirements
