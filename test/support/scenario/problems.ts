import * as z from 'zod'
import { AuthoredScript } from '../../../src/agent/script/script.ts'
import { Fault } from '../../../src/base/fault.ts'
import { parseScenario } from '../../../src/scenario/load/load.ts'
import type { ScenarioProblem } from '../../../src/scenario/source/problem.ts'

/** A scenario of 13 lines: a window with a field and a button, and an empty second state. */
export const MINIMAL_SCENARIO = `name: small
states:
  start:
    windows:
      - uid: main
        title: Main
        tree:
          role: Window
          name: Main
          children:
            - {id: field, role: Edit, name: Field}
            - {id: go, role: Button, name: Go}
  done:
`

/** The minimal scenario followed by more lines. */
export const withLines = (...lines: string[]): string => MINIMAL_SCENARIO + lines.join('\n')

const Arguments = z.strictObject({
  selector: z.string().optional(),
  element_id: z.string().optional(),
  window_uid: z.string().optional(),
  any_of: z.array(z.looseObject({})).optional(),
})

/** The problems that loading a scenario reports. */
export function problemsOf(text: string): readonly ScenarioProblem[] {
  try {
    parseScenario(text, { file: 'small.yaml', script: AuthoredScript, argumentsOf: () => Arguments })
  } catch (error) {
    if (error instanceof Fault && error.code === 'ScenarioInvalid')
      return error.context.issues as readonly ScenarioProblem[]
    throw error
  }
  return []
}

/** The problems of a scenario as `line:column path: message`. */
export const problemLines = (text: string): readonly string[] =>
  problemsOf(text).map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)

/** Scenarios with one window `app` of a size, by its children and what follows the states. */
export const appScenario =
  (width: number, height: number) =>
  (children: string, more = ''): string =>
    `
states:
  only:
    windows:
      - uid: app
        bounds: {x: 0, y: 0, width: ${width}, height: ${height}}
        tree:
          role: Window
          name: App
          children: [${children}]
${more}`

/** The message with which a scenario in the file `a.yaml` is refused; empty if it loads. */
export function refusalOf(text: string): string {
  try {
    parseScenario(text, { file: 'a.yaml' })
    return ''
  } catch (thrown) {
    return Fault.from(thrown).message
  }
}
