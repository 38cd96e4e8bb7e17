import type { SyntheticComputer } from '../../../adapters/synthetic/synthetic.ts'
import { filesOf } from '../../../desktop/model/desktop.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import { kindOf, kindsWhere, kindsWith } from '../../../desktop/model/role.ts'

/** What a run has left behind, in words by place: values on the screen, files and variables. */
export type Content = ReadonlyMap<string, string>

/** Shown only for a moment, or only a matter of what is in view. */
const PASSING = kindsWith('passing')
/** Their selection is a value. Elsewhere it shows what the next command concerns, or which page is in view. */
const SWITCHES = kindsWhere(({ is }) => is.includes('switch') || is.includes('ticked'))

/** The content of a desktop. Focus, scrolling, bounds, open menus, chosen items and tabs do not count. */
export function runContentOf(computer: SyntheticComputer): Content {
  const content = new Map<string, string>()
  for (const { uid, title, tree } of computer.desktop.windows) {
    content.set(`window ${uid}`, `the window ${JSON.stringify(title)}`)
    for (const element of walk(tree))
      if (!PASSING.has(kindOf(element.role))) content.set(`element ${uid} ${element.id}`, describeElement(element))
  }
  return new Map([...content, ...storedContentOf(computer)])
}

/** The content that is not on the screen: files and variables. */
export function storedContentOf({ desktop, run }: SyntheticComputer): Content {
  const files = Object.entries(filesOf(desktop)).map(
    ([path, text]) => [`file ${path}`, `the file ${path}: ${short(text)}`] as const,
  )
  const data = Object.entries(run.data).map(([name, value]) => [`var ${name}`, `${name}: ${short(value)}`] as const)
  return new Map([...files, ...data])
}

function describeElement({ role, name, value, selected, valueNow }: Element): string {
  const state = [
    value === null ? '' : ` with ${JSON.stringify(value)}`,
    selected && SWITCHES.has(kindOf(role)) ? ', selected' : '',
    valueNow === undefined ? '' : `, at ${valueNow}`,
  ]
  return `${role} ${JSON.stringify(name)}${state.join('')}`
}

const MAX_SHOWN = 60

const short = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The first difference in words; undefined when two runs left the same behind. */
export function differenceOf(one: Content, other: Content): string | undefined {
  for (const [place, words] of one) {
    const found = other.get(place)
    if (found !== words) return found === undefined ? `${words} is missing` : `${found} instead of ${words}`
  }
  for (const [place, words] of other) if (!one.has(place)) return `${words} is new`
  return undefined
}
