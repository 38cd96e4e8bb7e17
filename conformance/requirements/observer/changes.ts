import type { Requirements } from '../../requirement.ts'

const V2 = 'API for LLM tool use, version 2'
const OBSERVE = `${V2}, GET /api/observe`
const COMPOSITES = `${V2}, composites`
const WAIT = `${V2}, POST /api/wait_for`

/** Changes in full, and composites that see them. */
export const changeRequirements = {
  'observer:observe:whole': {
    level: 'SHOULD',
    text: 'A JSON Patch gives every field of the new tree, including those that the document does not name.',
    source: OBSERVE,
    basis: { because: 'A tree that reports selected or expanded state changes when that state changes.' },
    covers: ['O-E21'],
    tier: 'full',
  },
  'observer:observe:same-named': {
    level: 'SHOULD',
    text: 'Of siblings with one name, one that is removed, added or moved is one change.',
    source: OBSERVE,
    basis: {
      because: 'The document does not restrict the operations; agents would mistake the others for new elements.',
    },
    covers: ['O-E21'],
    tier: 'full',
  },
  'observer:observe:tokens': {
    level: 'MAY',
    text: 'Descriptions and visible areas return a tree_token as well.',
    source: OBSERVE,
    basis: { because: 'The design of the reference server promises it.' },
    covers: ['O-E3', 'O-E51'],
    tier: 'full',
  },
  'observer:composite:fresh': {
    level: 'MUST',
    text: 'The observation of a composite includes the change of its action, even right after another observation.',
    source: COMPOSITES,
    basis: {
      states: 'A composite returns the receipt and an observation, which is made wait_after_ms after the action.',
    },
    covers: ['O-E25'],
    tier: 'full',
  },
  'observer:composite:window': {
    level: 'SHOULD',
    text: 'type_and_observe and key_and_observe observe the window that window_uid names.',
    source: COMPOSITES,
    basis: {
      because:
        'The document lists window_uid, but does not specify whether it is the target of the text or the observed window.',
    },
    covers: ['O-E25', 'O-E26'],
    tier: 'full',
  },
  'observer:wait:window': {
    level: 'MUST',
    text: 'Conditions are looked for in the window that window_uid names.',
    source: WAIT,
    basis: { states: 'A wait takes window_uid.' },
    covers: ['O-E22', 'O-R6'],
  },
  'observer:wait:last-observation': {
    level: 'MAY',
    text: 'A wait that timed out reports the last state.',
    source: WAIT,
    basis: { because: 'The design of the reference server promises last_observation.' },
    covers: ['O-E22', 'O-X6'],
    tier: 'full',
  },
  'observer:wait:capped': {
    level: 'SHOULD',
    text: 'A wait of ten minutes is refused, or ends within a minute.',
    source: WAIT,
    basis: {
      because: 'The document sets no limit; the reference server cuts wait_for at a minute, and wait_idle not at all.',
    },
    covers: ['O-E23'],
    tier: 'full',
  },
  'observer:observe:window': {
    level: 'MUST',
    text: 'observe shows the window that window_uid or window_index names.',
    source: OBSERVE,
    basis: { states: 'observe takes window_uid or window_index.' },
    covers: ['O-E21', 'O-R6'],
  },
} as const satisfies Requirements
