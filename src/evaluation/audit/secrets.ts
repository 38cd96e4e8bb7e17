import { isNamed } from '../../base/strings.ts'
import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { isAction, oncePerSolution, type RecordedSolution } from '../../compose/verify/recorded-solution.ts'
import { walk } from '../../desktop/model/element.ts'
import { formatDate, parseDate } from '../../scenario/expression/formats.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ProgramCall } from '../../scenario/solution.ts'

/** What agents must find out by doing the task, and must not read anywhere else. */
export interface AuditSecrets {
  /** What the solution enters although neither the task nor the screens before have it. */
  readonly answers: readonly string[]
  /** Texts of the oracles that no screen of the solution shows. */
  readonly oracles: readonly string[]
}

/** Shorter texts occur by chance. */
const MIN_ANSWER_CHARACTERS = 3
const MIN_ORACLE_CHARACTERS = 10
const ENTERED = ['text', 'value', 'option_name'] as const
/** The keys of oracles whose texts only their author reads. */
const AUTHORED: ReadonlySet<string> = new Set(['expression', 'where', 'matches', 'regex', 'message', 'reason'])

/** The keys of oracles whose values are data of programs. */
const DATA: ReadonlySet<string> = new Set(['to', 'change', 'appended'])

/** The secrets of a scenario in the seed that it is played with. */
export async function secretsOf(scenario: Scenario, recorded: readonly RecordedSolution[]): Promise<AuditSecrets> {
  const answers = new Set<string>()
  const shownEver: string[] = [scenario.task ?? '', scenario.about]
  for (const { solution } of recorded) {
    const reading = await readSolution(scenario, solution)
    for (const answer of reading.answers) answers.add(answer)
    shownEver.push(...reading.shown)
  }
  const { success, failure, harm, attack, infeasible } = scenario.oracles
  const texts = authoredTexts([success, failure, harm, attack, infeasible])
  const all = shownEver.join('\n').toLowerCase()
  return {
    answers: [...answers],
    oracles: [...new Set(texts)].filter(
      (text) => text.length >= MIN_ORACLE_CHARACTERS && !all.includes(text.toLowerCase()),
    ),
  }
}

/** What a solution enters although nothing shows it before, the deciding words of it, and all that its screens show. */
export const readSolution = oncePerSolution(async (scenario, solution) => {
  const answers = new Set<string>()
  const unseen = new Set<string>()
  const desktop = memorySession(scenario)
  const shown = [scenario.task ?? '', scenario.about, ...textsOnScreen(desktop)]
  const look = (): void => void shown.push(...textsOnScreen(desktop))
  const steps = playSolution(desktop, solution, (planned) => {
    look()
    if (isAction(planned) || planned.tool === 'finish')
      for (const value of enteredTexts(planned))
        if (isSecret(value, shown)) {
          answers.add(value.trim())
          for (const word of decidingWords(value)) if (isSecret(word, shown)) unseen.add(word)
        }
    return planned
  })
  for await (const { failure } of steps) if (failure !== undefined) break
  look()
  return { answers, unseen, shown }
})

/** The numbers and names in a text: words with a digit, and those in capitals that begin no sentence. */
export const decidingWords = (text: string): readonly string[] =>
  [...text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}.,:@/+-]*[\p{L}\p{N}])?/gu)].flatMap(({ 0: word, index }) =>
    /\d/.test(word) || (/^\p{Lu}/u.test(word) && /[^.!?\s]\s*$/.test(text.slice(0, index))) ? [word] : [],
  )

/** The texts that a call enters or chooses. */
export const enteredTexts = ({ args }: ProgramCall): readonly string[] =>
  ENTERED.flatMap((name) => {
    const value = args[name]
    return typeof value === 'string' ? [value] : []
  })

const isSecret = (value: string, shown: readonly string[]): boolean =>
  value.trim().length >= MIN_ANSWER_CHARACTERS && !shown.some((text) => isWritten(text, value))

const DAY_FORMATS = ['d MMMM', 'd MMM', 'MMMM d', 'MMM d']

/** How texts may write a value. A day such as 2026-03-10 is also 10 March and Mar 10: the year may be left out. */
export function writtenForms(value: string): readonly string[] {
  const text = value.trim()
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return [text]
  return [text, ...DAY_FORMATS.map((format) => formatDate(parseDate(text), format))]
}

/** Whether a text has a value in one of its forms. */
export const isWritten = (text: string | undefined, value: string): boolean =>
  writtenForms(value).some((form) => isNamed(text, form))

/** What a person reads: titles, names, values and subtitles, with the rows of tables that the file does not list. */
export const textsOnScreen = ({ computer }: Pick<MemorySession, 'computer'>): readonly string[] =>
  computer.windows().flatMap(({ uid, title }) => {
    const tree = computer.tree(uid)
    const elements = tree ? [...walk(tree)] : []
    return [
      title,
      ...elements.flatMap(({ name, value, traits }) =>
        traits?.hidden ? [] : [name, value ?? '', traits?.subtitle ?? ''],
      ),
    ]
  })

function authoredTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(authoredTexts)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    AUTHORED.has(key) && typeof each === 'string' ? [each] : DATA.has(key) ? [] : authoredTexts(each),
  )
}

/** The first secret in the texts of an answer. Numbers and pictures are no texts. */
export function secretIn(answer: unknown, secrets: readonly string[]): string | undefined {
  if (secrets.length === 0) return undefined
  if (typeof answer === 'string') {
    const inside = objectIn(answer)
    return inside ? secretIn(inside, secrets) : secrets.find((secret) => isNamed(answer, secret))
  }
  if (typeof answer !== 'object' || answer === null) return undefined
  for (const [key, each] of Object.entries(answer)) {
    if (key === 'data') continue
    const found = secretIn(each, secrets)
    if (found !== undefined) return found
  }
  return undefined
}

/** The object whose JSON a text is. MCP has results as such texts. */
function objectIn(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
