import { ANY, BOOL, type DataType, DOUBLE, INT, STRING } from '../expression/data-type.ts'

/** The words for types in `types`. */
export const TYPE_WORDS: Readonly<Record<string, DataType>> = {
  text: STRING,
  number: DOUBLE,
  integer: INT,
  boolean: BOOL,
  any: ANY,
}

/** A JSON Schema of a key. References are to the parts of the schema of scenarios. */
type KeySchema = Readonly<Record<string, unknown>>
type KeySchemas = Readonly<Record<string, KeySchema>>

const PARAMS: KeySchema = {
  type: 'object',
  description: 'Values drawn from the seed, in order; each may use those before it',
  examples: [
    {
      customer: { pick: ['Ada', 'Bob'], default: 'Ada' },
      amount: { between: [10, 90] },
      people: { fake: 'person', count: 5 },
    },
  ],
  additionalProperties: { $ref: '#/$defs/Parameter' },
}

const COMPONENT_TYPES = ['text', 'number', 'integer', 'boolean', 'list', 'record', 'any']
const TYPE: KeySchema = { type: 'string', enum: COMPONENT_TYPES, description: 'The type of the parameter' }

/** Keys at the top of a file. */
export const TOP_KEYS: KeySchemas = {
  vars: {
    type: 'object',
    description: 'Values that change while the scenario runs: numbers, texts, booleans, lists and records',
    examples: [{ count: 0, search: '', orders: [{ id: 1, customer: 'Ada', total: 12.5 }] }],
  },
  types: {
    type: 'object',
    description:
      'The fields of lists that start empty, with their types: text, number, integer, boolean or any, {…} for records and [TYPE] for lists',
    examples: [{ drafts: { id: 'integer', to: 'text', files: ['text'] } }],
    additionalProperties: { anyOf: [{ enum: Object.keys(TYPE_WORDS) }, { type: 'object' }, { type: 'array' }] },
  },
  computed: {
    type: 'object',
    description: 'Named expressions over variables and over the names above them; read-only',
    examples: [{ total: 'sum(orders.map(order, order.total))', isEmpty: 'size(orders) == 0' }],
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
  include: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Files whose components, states, reactions and other sections are added',
    examples: ['parts/dialogs.yaml'],
  },
  params: PARAMS,
  assert: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Conditions of the parameters, which are drawn again until all hold',
    examples: [['{{ first != second }}']],
  },
  components: {
    type: 'object',
    description: 'Parts with typed parameters, for `use`',
    examples: [{ row: { params: { label: 'text' }, element: { role: 'ListItem', name: '{{ label }}' } } }],
    additionalProperties: { $ref: '#/$defs/Component' },
  },
}

/** Parts of the schema that only composition uses. */
export const COMPOSITION_PARTS: KeySchemas = {
  Component: {
    type: 'object',
    properties: {
      about: { type: 'string', description: 'What it is for', examples: ['A row of the list of orders'] },
      params: {
        type: 'object',
        description: 'Parameters with their types: text, number, integer, boolean, list, record or any',
        examples: [{ label: 'text', count: { type: 'integer', default: 0 } }],
        additionalProperties: {
          anyOf: [
            TYPE,
            {
              type: 'object',
              properties: {
                type: TYPE,
                default: { description: 'The value of the parameter when `with` does not give it', examples: [0] },
              },
            },
          ],
        },
      },
      element: {
        $ref: '#/$defs/Element',
        description: 'The element that it stands for',
        examples: [{ role: 'ListItem', name: '{{ label }}' }],
      },
      window: {
        $ref: '#/$defs/Window',
        description: 'The window that it stands for',
        examples: [{ uid: 'order', title: 'Order {{ number }}' }],
      },
      item: {
        description: 'The item of any list that it stands for, such as a step of the solution',
        examples: [{ call: 'press_key', with: { keys: 'enter' } }],
      },
      reactions: {
        type: 'array',
        description: 'Reactions that come with it',
        examples: [[{ on: { tool: 'click_element', target_id: '{{ id }}' }, set: [{ toast: 'Saved' }] }]],
        items: { $ref: '#/$defs/Reaction' },
      },
      timers: {
        type: 'array',
        description: 'Timers that come with it',
        examples: [[{ every_ms: 1000, set: [{ id: '{{ id }}', value_now: { add: 1 } }] }]],
        items: { $ref: '#/$defs/Timer' },
      },
    },
    additionalProperties: false,
  },
  // Without a type, since a parameter may be any value.
  Parameter: {
    properties: {
      pick: { description: 'Draws one of these items', examples: [['Ada', 'Bob']] },
      shuffle: { description: 'Draws all of these items in another order', examples: [['Ada', 'Bob', 'Cleo']] },
      between: { description: 'Draws a number from the first to the second', examples: [[10, 90]] },
      decimals: { description: 'The decimals of the number; without it an integer is drawn', examples: [2] },
      fake: {
        description: 'Draws an invented record',
        anyOf: [{ enum: ['person', 'address', 'company', 'product'] }, { $ref: '#/$defs/template' }],
      },
      locale: {
        description: 'The language of the invented record; en by default',
        anyOf: [{ enum: ['en', 'de', 'fr'] }, { $ref: '#/$defs/template' }],
      },
      decoy: {
        description: 'Draws a value like that of this parameter, and different from it',
        examples: ['customer'],
      },
      default: {
        description:
          'The value under the seed of the file; beside `type`, the value that a scenario which includes the file may replace',
        examples: ['Ada'],
      },
      type: {
        description: 'The type of a value that a scenario which includes the file may replace',
        examples: ['integer'],
      },
      count: { description: 'Draws a list of this many different values', examples: [5] },
      not: { description: 'Values that are not drawn', examples: [['Ada']] },
      unique: { description: 'The field by which the records of a list differ', examples: ['name'] },
    },
  },
}

/** Keys of a state. */
export const STATE_KEYS: KeySchemas = {
  extends: { type: 'string', description: 'The state from which this one differs', examples: ['start'] },
  without: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'The uids of windows that this state does not have',
    examples: [['help']],
  },
  set: {
    type: 'array',
    items: { $ref: '#/$defs/ElementChange' },
    description: 'Changes of windows and elements, as in a reaction',
    examples: [[{ id: 'status', name: 'Offline' }]],
  },
}

/** Keys of any map below the sections that are expanded. */
export const EVERYWHERE: KeySchemas = {
  use: { type: 'string', description: 'The component that stands here', examples: ['row'] },
  with: { type: 'object', description: 'The parameters of the component', examples: [{ label: 'Save' }] },
  // Without a type, since it may be a list.
  repeat: {
    description:
      'A list or a number: one item for each. Among the children of an element or the windows of a state it may follow data that change',
    examples: ['people', 3, { of: 'orders', key: 'number', sort_by: 'total' }],
    properties: {
      of: { description: 'The list or number', examples: ['orders'] },
      key: {
        type: 'string',
        description: 'The field that identifies the records; `id` by default',
        examples: ['number'],
      },
      sort_by: { type: 'string', description: 'The field by which the items are sorted', examples: ['total'] },
      descending: { type: 'boolean', description: 'Whether `sort_by` sorts in reverse', examples: [true] },
      page: { type: 'string', description: 'An expression: the page that is shown, from 0', examples: ['page'] },
      page_size: {
        type: 'integer',
        minimum: 1,
        maximum: 500,
        description: 'The number of items on a page',
        examples: [12],
      },
      item_height: {
        type: 'integer',
        minimum: 8,
        maximum: 2000,
        description:
          'Pixels from the top of an item to that of the next; only items in view are in the tree. For the only child of a list or scroll area',
        examples: [72],
      },
    },
  },
  as: {
    type: 'string',
    description: 'The name of the item in templates; item when left out',
    examples: ['person'],
  },
  if: { type: ['string', 'boolean'], description: 'Left out when this is false', examples: ['count > 0'] },
  // biome-ignore lint/suspicious/noThenProperty: a key of scenario files; the object is not callable.
  then: {
    type: 'array',
    items: { $ref: '#/$defs/Element' },
    description: 'Beside `if`, among the children of an element: those that are there when it is true',
    examples: [[{ role: 'Text', name: 'Done' }]],
  },
  else: {
    type: 'array',
    items: { $ref: '#/$defs/Element' },
    description: 'Those that are there when it is false',
    examples: [[{ role: 'Text', name: 'Not yet' }]],
  },
}

/** Short keys that a misspelt key rarely means. */
const UNLIKELY = ['as', 'if', 'then', 'else']

/** The keys of composition that are valid in a map of a scenario: all of them at the top and in a state. */
export function compositionKeysAt(path: readonly (string | number)[]): {
  readonly keys: readonly string[]
  readonly listed: boolean
} {
  if (path.length === 0) return { keys: Object.keys(TOP_KEYS), listed: true }
  if (path.length === 2 && path[0] === 'states') return { keys: Object.keys(STATE_KEYS), listed: true }
  return { keys: Object.keys(EVERYWHERE).filter((key) => !UNLIKELY.includes(key)), listed: false }
}
