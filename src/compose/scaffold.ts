import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Fault } from '../base/fault.ts'
import { didYouMean } from '../base/strings.ts'
import { APPLICATIONS, applicationNames } from './applications.ts'
import { scenarioFilesIn } from './gallery.ts'
import { PACKAGE } from './package.ts'

/** What a new scenario starts from. */
export interface ScaffoldChoice {
  /** `form`, or an application with tasks. */
  readonly from: string
  /** The labels of the fields of a form. */
  readonly fields?: readonly string[] | undefined
  /** The task of the application to start from, by default its first. */
  readonly task?: string | undefined
}

/** The fields of a form for which none are named. */
export const DEFAULT_FIELDS: readonly string[] = ['Name', 'Department']

const MAX_FIELDS = 8

/** What scenarios can start from: a form, and the applications that have tasks. */
export const scaffoldSources = (): readonly string[] => [
  'form',
  ...applicationNames().filter((name) => tasksOfApplication(name).length > 0),
]

/** The names of the tasks of an application. Empty for any other name. */
export const tasksOfApplication = (name: string): readonly string[] =>
  scenarioFilesIn(join(APPLICATIONS, name, 'tasks')).map((file) => file.replace(/\.ya?ml$/, ''))

/**
 * The text of a new scenario, which passes `backlot test` as it is.
 * @param file Where it will stand: its name follows from it, and the path to the schema for editors.
 * @param choice What it starts from.
 * @throws A `Fault` `BadRequest` for a name, source, task or field that cannot be used.
 * @example
 * const text = scaffoldScenario('scenarios/request.yaml', { from: 'form', fields: ['Name', 'City'] })
 */
export function scaffoldScenario(file: string, { from, fields, task }: ScaffoldChoice): string {
  const name = basename(file).replace(/\.ya?ml$/i, '')
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name))
    throw new Fault(
      'BadRequest',
      `${JSON.stringify(name)} is not a valid scenario name; use lowercase letters, digits and "-", such as my-form.yaml`,
    )
  const first = `# yaml-language-server: $schema=${schemaPath(file)}\n`
  if (from === 'form') {
    if (task !== undefined)
      throw new Fault('BadRequest', 'a form has no task to start from; name its fields, or start from an application')
    return `${first}${formText(name, fields ?? DEFAULT_FIELDS)}`
  }
  const sources = scaffoldSources()
  if (!sources.includes(from)) {
    const near = didYouMean(from, sources) || `; there are ${sources.join(', ')}`
    throw new Fault('BadRequest', `a scenario cannot start from ${JSON.stringify(from)}${near}`)
  }
  if (fields !== undefined)
    throw new Fault('BadRequest', `fields are for a form; ${from} has the tasks ${tasksOfApplication(from).join(', ')}`)
  return `${first}${taskText(name, from, task)}`
}

/** The path to the schema, from the folder of a file: in this package if it is below the current folder, as it is after an installation. */
function schemaPath(file: string): string {
  const installed = relative('.', PACKAGE).startsWith('..') ? join('node_modules', 'backlot') : PACKAGE
  const schema = resolve(installed, 'docs', 'reference', 'scenario.schema.json')
  return relative(dirname(resolve(file)), schema).replaceAll(sep, '/')
}

/** A task of an application under another name, without the line for its own schema. */
function taskText(name: string, from: string, task: string | undefined): string {
  const tasks = tasksOfApplication(from)
  const chosen = task ?? tasks[0]!
  if (!tasks.includes(chosen)) {
    const near = didYouMean(chosen, tasks) || `; there are ${tasks.join(', ')}`
    throw new Fault('BadRequest', `${from} has no task ${JSON.stringify(chosen)}${near}`)
  }
  const text = readFileSync(join(APPLICATIONS, from, 'tasks', `${chosen}.yaml`), 'utf8')
  return text.replace(/^# yaml-language-server:.*\n/, '').replace(/^name: .*$/m, `name: ${name}`)
}

/** A field of a form: its id in the file, its label, and how its value is drawn and written. */
interface Field {
  readonly id: string
  readonly label: string
  readonly param: string
  readonly value: string
}

/** How values are drawn, by the words of a label. */
const DRAWN: readonly { readonly label: RegExp; readonly param: string; readonly field: string }[] = [
  { label: /e-?mail/i, param: '{fake: person}', field: '.email' },
  { label: /phone/i, param: '{fake: person}', field: '.phone' },
  { label: /\bname\b|person|customer/i, param: '{fake: person}', field: '.name' },
  { label: /city|town/i, param: '{fake: address}', field: '.city' },
  { label: /company/i, param: '{fake: company}', field: '.name' },
]
const WORDS = '{pick: [Amber, Birch, Cedar, Dune, Ember]}'
/** Names that expressions use for something else. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'answer as break browser const continue else event false for form function if import in initial let loop namespace now ' +
    'null package return root row send sent start_time state status true var void while'
  ).split(' '),
)

function fieldOf(label: string): Field {
  const word = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const id = word === '' || /^\d/.test(word) || TAKEN.has(word) ? `field_${word}` : word
  const drawn = DRAWN.find((each) => each.label.test(label)) ?? { param: WORDS, field: '' }
  return { id, label, param: drawn.param, value: `{{ wanted_${id}${drawn.field} }}` }
}

function formText(name: string, labels: readonly string[]): string {
  const fields = labels.map(fieldOf)
  const isWrong = labels.some((label) => !/^[\p{L}\p{N}][\p{L}\p{N} .()-]{0,39}$/u.test(label))
  if (isWrong || labels.length === 0 || labels.length > MAX_FIELDS)
    throw new Fault(
      'BadRequest',
      `use 1 to ${MAX_FIELDS} fields with labels of letters, digits and blanks, such as Name, Department`,
    )
  if (new Set(fields.map(({ id }) => id)).size < fields.length)
    throw new Fault(
      'BadRequest',
      `two of the fields ${labels.join(', ')} have the same name; give each a label of its own`,
    )
  const title = `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`
  const list = (text: (field: Field) => string) => fields.map(text).join(', ')
  const lines = (text: (field: Field) => string) => fields.map(text).join('\n')
  return `name: ${name}
about: A form with ${fields.length === 1 ? 'one field' : `${fields.length} fields`}.
task: 'Fill in the form and send it. ${list(({ label, value }) => `${label}: ${value}`)}.'
params:                                     # drawn from the seed: another seed has another task
${lines(({ id, param }) => `  wanted_${id}: ${param}`)}
vars:                                       # what changes while the scenario runs
  form: {${list(({ id }) => `${id}: ''`)}}
  sent: []
types: {sent: {${list(({ id }) => `${id}: text`)}}}
states:
  open:
    windows:
      - uid: form
        title: ${title}
        bounds: {x: 200, y: 120, width: 520, height: ${130 + 64 * fields.length}}
        tree:
          role: Window
          name: ${title}
          children:
${lines(({ id, label }) => `            - {id: ${id}, role: Edit, name: ${label}, bind: form.${id}}`)}
            - {id: send, role: Button, name: Send, presses: enter, enabled: '{{ ${fields.map(({ id }) => `form.${id} != ""`).join(' && ')} }}'}
            - {id: status, role: Text, name: '{{ size(sent) == 0 ? "Nothing has been sent." : "Sent." }}'}
reactions:                                  # the first whose "on" and "when" hold runs after an action
  - on: {tool: click_element, target_id: send}
    set:
      - {var: sent, append: '{{ form }}'}
      - {var: form, to: {${list(({ id }) => `${id}: ''`)}}}
solution:                                   # one way to solve the task
${lines(({ id, value }) => `  - {call: set_value, with: {element_id: ${id}, value: '${value}'}}`)}
  - {call: click_element, with: {element_id: send}}
oracles:                                    # how any way is judged: this record was appended, and nothing else changed
  success:
    - {kind: changes, exactly: [{var: sent, appended: {${list(({ id, value }) => `${id}: '${value}'`)}}}]}
`
}
