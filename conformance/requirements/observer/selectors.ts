import type { Requirements } from '../../requirement.ts'

const GRAMMAR = 'API for LLM tool use, version 2, selector grammar'

/** Selectors beyond the single predicates. */
export const selectorRequirements = {
  'observer:selector:value-regex': {
    level: 'MUST',
    text: 'value~= matches an expression against the value.',
    source: GRAMMAR,
    basis: { states: 'value= and value~= are predicates.' },
    covers: ['O-S12'],
  },
  'observer:selector:mixed': {
    level: 'MUST',
    text: 'Combinators > and blank go together in one selector.',
    source: GRAMMAR,
    basis: { states: 'The sample of CSS-ish selectors is Window > Pane Button[name~="Save.*"].' },
    covers: ['O-S2', 'O-S4'],
  },
  'observer:selector:steps': {
    level: 'SHOULD',
    text: 'Every step may have predicates, and names in quotes may hold / and >.',
    source: GRAMMAR,
    basis: { because: 'The samples have predicates at their ends only; the grammar does not forbid them elsewhere.' },
    covers: ['O-S1', 'O-S2', 'O-S3'],
    tier: 'full',
  },
  'observer:selector:quoted': {
    level: 'SHOULD',
    text: 'enabled="false" in quotes is not enabled=true.',
    source: GRAMMAR,
    basis: { because: 'The document writes truth values without quotes; taken for true it would find the opposite.' },
    covers: ['O-S8'],
    tier: 'full',
  },
  'observer:selector:selected': {
    level: 'SHOULD',
    text: 'selected=true matches the elements that the tree reports as selected.',
    source: GRAMMAR,
    basis: {
      because: 'The document does not list the predicate; a tree that reports the state can be queried for it.',
    },
    covers: ['O-S8'],
    tier: 'full',
  },
} as const satisfies Requirements
