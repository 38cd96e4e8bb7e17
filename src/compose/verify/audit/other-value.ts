import type { SyntheticComputer } from '../../../adapters/synthetic/synthetic.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import { kindOf, kindsWith } from '../../../desktop/model/role.ts'
import { describePlace, type ProgramCall } from '../../../scenario/solution.ts'
import { targetOfCall } from './call-target.ts'
import { endOf, isAction, type RecordedSolution } from './recording.ts'

/** A call with another value in place of the one that it has. */
interface OtherCall {
  readonly call: ProgramCall
  readonly value: string
  readonly other: string
}

/** Finds a value of the task, or of the screen at the start, in whose place another one passes as well. */
export async function findOtherValue(recorded: RecordedSolution): Promise<string | undefined> {
  const { scenario, solution, calls } = recorded
  for (const [changed, planned] of calls.entries()) {
    if (!isAction(planned)) continue
    let made: OtherCall | undefined
    const { passed } = await endOf(scenario, solution, ({ computer }) => (call, index) => {
      if (index !== changed) return call
      made = otherChoice(computer, call, recorded) ?? otherText(call, recorded)
      return made?.call ?? call
    })
    if (!made || !passed) continue
    const { value, other } = made
    const source = isNamed(scenario.task, value) ? 'the task names' : 'the screen shows'
    return `the oracles pass when ${describePlace(planned.place)} (${planned.tool}) has ${JSON.stringify(other)} instead of ${JSON.stringify(value)}, which ${source}`
  }
  return undefined
}

const TEXT_ARGUMENTS = ['text', 'value'] as const
/** Shorter texts are on the screen by chance. */
const MIN_SHOWN_CHARACTERS = 3

/** The call with another text, if its text comes from the task or the screen. */
function otherText(call: ProgramCall, { scenario, startTexts }: RecordedSolution): OtherCall | undefined {
  for (const name of TEXT_ARGUMENTS) {
    const value = call.args[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    const isShown = value.length >= MIN_SHOWN_CHARACTERS && startTexts.some((text) => text.includes(value))
    if (!isShown && !isNamed(scenario.task, value)) continue
    const other = shifted(value)
    return { call: { ...call, args: { ...call.args, [name]: other } }, value, other }
  }
  return undefined
}

/** Kinds of elements that are chosen among others. */
const CHOICES = kindsWith('choice')

/** The call that chooses another item than the one that the task names. */
function otherChoice(
  computer: SyntheticComputer,
  call: ProgramCall,
  { scenario: { task } }: RecordedSolution,
): OtherCall | undefined {
  const target = targetOfCall(computer, call)
  if (!target) return undefined
  const { window, element, parent } = target
  const option = call.args.option_name
  if (typeof option === 'string') {
    const other = isNamed(task, option) ? siblingOf(option, [...walk(element)]) : undefined
    return (
      other && { call: { ...call, args: { ...call.args, option_name: other.name } }, value: option, other: other.name }
    )
  }
  if (!CHOICES.has(kindOf(element.role)) || !isNamed(task, element.name)) return undefined
  const other = siblingOf(element.name, parent?.children.filter(({ role }) => role === element.role) ?? [])
  const { selector: _, ...args } = call.args
  return (
    other && {
      call: { ...call, args: { ...args, window_uid: window, element_id: other.id } },
      value: element.name,
      other: other.name,
    }
  )
}

const siblingOf = (name: string, elements: readonly Element[]): Element | undefined =>
  elements.find((each) => each.enabled && each.name !== '' && each.name !== name && CHOICES.has(kindOf(each.role)))

/** Whether a text names a value, as words of its own. */
export function isNamed(text: string | undefined, value: string): boolean {
  const [where, what] = [(text ?? '').toLowerCase(), value.trim().toLowerCase()]
  for (let at = where.indexOf(what); what !== '' && at >= 0; at = where.indexOf(what, at + 1))
    if (!isWordCharacter(where[at - 1]) && !isWordCharacter(where[at + what.length])) return true
  return false
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** A text of the same shape with the next letter and digit in each place. */
function shifted(text: string): string {
  const other = text.replace(
    /[a-zA-Z0-9]/g,
    (character) => NEXT[character] ?? String.fromCharCode(character.charCodeAt(0) + 1),
  )
  return other === text ? `${text}x` : other
}

const NEXT: Readonly<Record<string, string>> = { z: 'a', Z: 'A', 9: '0' }
