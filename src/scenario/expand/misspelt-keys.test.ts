import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { type Include, parseScenario } from '../load/load.ts'

// Rules such as [EXP41] are stated in README.md beside this file.

const FILES: Readonly<Record<string, string>> = {
  'parts/timer.yaml': 'timers: [{every_ms: 50, set: [{clipboard: x}]}]\n',
  'parts/broken.yaml': 'states:\n  other: {windows: [\n',
  'parts/wrong.yaml': 'states:\n  other:\n    windows:\n      - {uid: second, titel: x}\nreactons: []\n',
}

const include: Include = (path) => {
  const text = FILES[path]
  return text === undefined ? { message: `there is no file ${path}` } : { file: path, text }
}

/** The problems of a file as `file:line:column: message`. */
function problemsOf(text: string): readonly string[] {
  try {
    parseScenario(text, { file: 'own.yaml', include })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error.message.split('\n').filter((line) => /^\S+:\d+:\d+: /.test(line))
  }
  return []
}

describe('problems of composition', () => {
  it('[EXP41] reads on with the key that a misspelt key of composition means', () => {
    const text = `componets:
  row: {params: {id: text}, element: {id: "{{ id }}", role: Button, name: Go}}
parms:
  people: [Ada, Bob]
states:
  first:
    windows:
      - uid: app
        tree:
          role: Window
          children:
            - {repeet: people, as: person, role: Text, name: "{{ person }}"}
            - {use: row, wth: {id: go}}
  second:
    extens: first
    set: [{id: go, name: Again}]
timers:
  - {after_ms: 5, transition_to: third}
`
    expect(problemsOf(text)).toEqual([
      'own.yaml:1:1: unknown key "componets"; did you mean "components"?',
      'own.yaml:3:1: unknown key "parms"; did you mean "params"?',
      'own.yaml:12:16: unknown key "repeet"; did you mean "repeat"?',
      'own.yaml:13:26: unknown key "wth"; did you mean "with"?',
      'own.yaml:15:5: unknown key "extens"; did you mean "extends"?',
      'own.yaml:18:34: timers[0].transition_to: there is no state "third"; the states are first, second',
    ])
  })

  it('[EXP42] suggests keys of composition in files without composition', () => {
    const [state, unknown] = problemsOf('states:\n  a: {extnds: b}\nshapes: []\n')
    expect(state).toMatch(
      /^own\.yaml:2:7: .*unknown key "extnds"; did you mean "extends"\? The keys here are windows, ext/,
    )
    expect(unknown).toMatch(/^own\.yaml:3:1: .*unknown key "shapes"; did you mean "states"\? .*components/)
  })

  it('[EXP43] reports problems of composing and of the schema together', () => {
    const text = `params: {name: Ada}
states:
  only:
    windows:
      - uid: app
        title: "{{ nme }}"
        bunds: {x: 1, y: 2, width: 30, height: 40}
        tree: {role: Window, name: "{{ nme }}", enabled: "{{ nme }}"}
`
    expect(problemsOf(text)).toEqual([
      'own.yaml:6:16: in {{ nme }}: unknown name "nme"; did you mean "name"?',
      expect.stringMatching(/^own\.yaml:7:9: .*unknown key "bunds"; did you mean "bounds"\?/),
      'own.yaml:8:36: in {{ nme }}: unknown name "nme"; did you mean "name"?',
      'own.yaml:8:58: in {{ nme }}: unknown name "nme"; did you mean "name"?',
    ])
  })

  it('[EXP44] reports each problem of an included file at its own lines', () => {
    expect(problemsOf('include: [parts/broken.yaml, parts/none.yaml, parts/wrong.yaml]\nstates: {a: {}}\n')).toEqual([
      'own.yaml:1:30: there is no file parts/none.yaml',
      expect.stringMatching(/^parts\/broken\.yaml:\d+:\d+: not valid YAML: /),
      expect.stringMatching(/^parts\/wrong\.yaml:4:23: .*unknown key "titel"; did you mean "title"\?/),
      'parts/wrong.yaml:5:1: "reactons" has no meaning in a file that is included; did you mean "reactions"?',
    ])
  })
})

it('[EXP45] reports a section of the wrong type to which a component or an included file adds', () => {
  const component =
    'components: {go: {element: {role: Button}, reactions: [{on: {tool: click_element}, set: [{clipboard: x}]}]}}\n'
  const states = 'states: {a: {windows: [{uid: w, tree: {role: Window, children: [{use: go}]}}]}}\n'
  expect(problemsOf(`${component}${states}reactions: later\n`)).toEqual([
    'own.yaml:3:12: reactions: expected a list, found "later"',
  ])
  expect(problemsOf(`include: parts/timer.yaml\nstates: {a: {}}\ntimers: later\n`)).toEqual([
    'own.yaml:3:9: timers: expected a list, found "later"',
  ])
})
