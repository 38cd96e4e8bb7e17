import type { Requirements } from '../../requirement.ts'

const V2 = 'API for LLM tool use, version 2'
const SCENARIO = `${V2}, scenarios`

/** The content of scenario files, and their mistakes. */
export const scenarioRequirements = {
  'observer:scenario:spellings': {
    level: 'MUST',
    text: 'on, match and a key that is true introduce reactions alike.',
    source: SCENARIO,
    basis: { states: 'on, match and true, which is what YAML 1.1 makes of on, are all accepted.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:first': {
    level: 'MUST',
    text: 'Of several reactions that fit, the first of the file fires, and no other.',
    source: SCENARIO,
    basis: { states: 'Reactions fire in declaration order; the first match wins.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:group': {
    level: 'MUST',
    text: '{text} is the first group of text_regex.',
    source: SCENARIO,
    basis: { states: '{text} is the first capture group of text_regex.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:all-conditions': {
    level: 'MUST',
    text: 'A reaction fires only when all its conditions hold, value and value_not_empty alike.',
    source: SCENARIO,
    basis: { states: 'when is a list of conditions on the value of an id, or that it is not empty.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:windows': {
    level: 'MUST',
    text: 'Reactions name and set elements of any window of the state.',
    source: SCENARIO,
    basis: { states: 'A state has windows; target_id and the id of set name their elements.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:same-place': {
    level: 'SHOULD',
    text: 'A click in one window sets off no reaction of an element at the same place in another.',
    source: SCENARIO,
    basis: { because: 'The document has reactions name an element; positions in a tree repeat from window to window.' },
    covers: ['O-R8'],
    tier: 'full',
  },
  'observer:scenario:nowhere': {
    level: 'SHOULD',
    text: 'A click outside all windows triggers no reaction to clicks on elements.',
    source: SCENARIO,
    basis: {
      because: 'The document does not cover it; a reaction without a target concerns any element, and none was hit.',
    },
    covers: ['O-R8', 'O-E6'],
    tier: 'full',
  },
  'observer:scenario:dangling': {
    level: 'SHOULD',
    text: 'A scenario that names a state it does not have, or a part of some bounds, is ScenarioInvalid.',
    source: SCENARIO,
    basis: {
      because:
        'The document does not specify the validation; otherwise such a scenario fails later, far from the cause.',
    },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
  },
  'observer:scenario:scalars': {
    level: 'SHOULD',
    text: 'Numbers, dates and yes without quotes are texts, or the scenario is ScenarioInvalid.',
    source: SCENARIO,
    basis: { because: 'The document does not cover them; answering 500 to every observation is neither.' },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
  },
  'observer:scenario:deep': {
    level: 'SHOULD',
    text: 'A tree of twelve hundred levels is played, or it is ScenarioInvalid.',
    source: SCENARIO,
    basis: { because: 'The document sets no limit; a server that runs out of stack is neither.' },
    covers: ['O-E38', 'O-X14'],
    tier: 'full',
  },
  'observer:scenario:oracles': {
    level: 'MUST',
    text: 'A scenario may state the predicates of success and failure.',
    source: SCENARIO,
    basis: { states: 'oracles has predicates under success and failure.' },
    covers: ['O-E38'],
    tier: 'full',
    unchecked: 'the document has no endpoint that evaluates them or lists them',
  },
} as const satisfies Requirements
