import { readFile } from 'node:fs/promises'
import { createSyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import type { Desktop, Window } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import { type LintCode, type LintFinding, lintWindow, RULES } from '../paint/lint/lint-window.ts'
import type { ThemeName } from '../paint/theme/tokens.ts'
import { pathInFile, windowsInFile } from '../scenario/path-in-file.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { formatProblem, type UnlocatedProblem } from '../scenario/source/problem.ts'
import { findScenario } from './gallery.ts'
import { memorySession } from './memory-session.ts'
import { playSolution } from './play-solution.ts'
import { checkFile } from './preview.ts'

/** What `lintScenario` found. */
export interface LintResult {
  readonly findings: readonly ScenarioLintFinding[]
  /** The number of findings that comments in the file accept. */
  readonly ignored: number
}

/** A mistake of appearance, with its position as text. */
export interface ScenarioLintFinding {
  readonly code: LintCode | 'unused-ignore'
  readonly element: string | undefined
  readonly text: string
}

/**
 * Finds mistakes of appearance in every state of a scenario and in every step of its solution.
 * @param file A path, or a name in the gallery.
 * @param theme The theme, by default that of the scenario.
 * @throws A `Fault` `ScenarioInvalid`.
 * @example
 * const { findings } = await lintScenario('login')
 */
export async function lintScenario(file: string, theme?: ThemeName): Promise<LintResult> {
  const { scenario, locate } = await checkFile(file)
  const ignores = ignoresIn(await readFile(findScenario(file), 'utf8')).filter(({ code }) => code !== INERT)
  const found = await findingsIn(scenario, theme ?? scenario.theme ?? 'light')
  const isIgnored = ({ finding }: FoundIn) => ignores.some(({ code, element }) => isAbout(finding, code, element))
  const shown = found.filter((finding) => !isIgnored(finding))
  const unused = ignores.filter(
    ({ code, element, reason }) => reason === '' || !found.some(({ finding }) => isAbout(finding, code, element)),
  )
  const findings = shown.map((each) => {
    const { finding } = each
    const [problem] = locate([problemOf(scenario, each)])
    return { code: finding.code, element: finding.element, text: formatProblem(file, problem!, `${finding.code}: `) }
  })
  return {
    findings: [...findings, ...unused.map((ignore) => unusedIgnore(file, ignore))],
    ignored: found.length - shown.length,
  }
}

const isAbout = (finding: LintFinding, code: string, element: string): boolean =>
  code === finding.code && (element === '*' || element === (finding.element ?? finding.window))

/** A finding, and the tree that has it. */
interface FoundIn {
  readonly finding: LintFinding
  readonly tree: Element
}

/** The findings of all states and of all steps of the solution, each once. */
async function findingsIn(scenario: Scenario, theme: ThemeName): Promise<readonly FoundIn[]> {
  const found = new Map<string, FoundIn>()
  const seen = new Set<Window>()
  const look = (desktop: Desktop) => {
    for (const window of desktop.windows) {
      if (window.state === 'minimized' || seen.has(window)) continue
      seen.add(window)
      for (const finding of lintWindow(desktop, window, theme))
        found.set(`${finding.code} ${finding.window} ${finding.element} ${finding.message}`, {
          finding,
          tree: window.tree,
        })
    }
  }
  for (const initial of scenario.states.keys())
    look(createSyntheticComputer({ scenario: { ...scenario, initial }, clock: virtualClock() }).desktop)
  for (const solution of scenario.solutions) {
    const desktop = memorySession(scenario)
    for await (const { fault } of playSolution(desktop, solution)) if (!fault) look(desktop.computer.desktop)
  }
  return [...found.values()]
}

/** The place of a finding: its element in the first state that has it, or its window. */
function problemOf(scenario: Scenario, { finding, tree }: FoundIn): UnlocatedProblem {
  const { window: uid, element, message } = finding
  const [window] = windowsInFile(scenario, uid)
  if (element === undefined) return { path: window ? [...window.path, 'title'] : [], message }
  return { path: pathInFile(scenario, uid, element, tree) ?? [], message }
}

/** The code of controls that change nothing, which `lintInert` finds. */
export const INERT = 'inert'

/** A comment that accepts findings: `# lint-ignore CODE ELEMENT reason`. */
export interface LintIgnore {
  readonly line: number
  readonly code: string
  readonly element: string
  readonly reason: string
}

export const ignoresIn = (text: string): readonly LintIgnore[] =>
  text.split('\n').flatMap((line, index) => {
    const [, code = '', element = '', reason = ''] = /#\s*lint-ignore\s+(\S+)\s*(\S*)\s*(.*)$/.exec(line) ?? []
    return code === '' ? [] : [{ line: index + 1, code, element, reason: reason.trim() }]
  })

export function unusedIgnore(file: string, { line, code, element, reason }: LintIgnore): ScenarioLintFinding {
  const codes = [...Object.keys(RULES), INERT]
  const wrong = !codes.includes(code)
    ? `there is no rule ${JSON.stringify(code)}; the rules are ${codes.join(', ')}`
    : reason === ''
      ? 'the reason is missing; write # lint-ignore CODE ELEMENT reason'
      : `nothing here is ignored: ${code} has no finding about ${JSON.stringify(element)}`
  return { code: 'unused-ignore', element, text: `${file}:${line}:1: unused-ignore: ${wrong}` }
}
