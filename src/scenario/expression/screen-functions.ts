import { Fault } from '../../base/fault.ts'
import type { EvaluationContext, ExpressionFunction, ScreenReader } from './expression-function.ts'

/** Functions that read the screen. They have a value only while a scenario runs. */
export const SCREEN_FUNCTIONS: readonly ExpressionFunction[] = [
  read('value(string): string', 'The value of an element; empty if there is none', 'value("search")', (screen, id) =>
    screen.value(id),
  ),
  read('name(string): string', 'The name of an element; empty if there is none', 'name("answer")', (screen, id) =>
    screen.name(id),
  ),
  read(
    'selected(string): dyn',
    'Whether an element is selected; of a list, tree or row of tabs, the name of the selected item',
    'selected("agree")',
    (screen, id) => screen.selected(id),
  ),
  read(
    'cell_name(string): string',
    'The letter of the column and the number of the row of the current cell of a table; empty if there is none',
    'cell_name("sheet")',
    (screen, id) => screen.cell(id).name,
  ),
  read(
    'cell_text(string): string',
    'The text of the current cell of a table; empty if there is none',
    'cell_text("sheet")',
    (screen, id) => screen.cell(id).text,
  ),
  read('exists(string): bool', 'Whether there is an element with the id', 'exists("dialog")', (screen, id) =>
    screen.exists(id),
  ),
  read('count(string): int', 'How many elements match a selector', `count('Button "Save"')`, (screen, selector) =>
    BigInt(screen.count(selector)),
  ),
  read(
    'happened(string): int',
    'How often an event was emitted, or a reaction or timer with this id ran',
    'happened("saved")',
    (screen, name) => BigInt(screen.happened(name)),
  ),
]

function read(
  signature: string,
  description: string,
  example: string,
  get: (screen: ScreenReader, argument: string) => unknown,
): ExpressionFunction {
  const call = ({ screen }: EvaluationContext, argument: string) => {
    if (screen) return get(screen, argument)
    const name = signature.slice(0, signature.indexOf('('))
    throw new Fault('BadRequest', `${name}(…) reads the screen, which exists only while the scenario runs`)
  }
  return { signature, description, example, call: call as ExpressionFunction['call'] }
}

/** The names of the functions that read the screen. */
export const SCREEN_FUNCTION_NAMES: ReadonlySet<string> = new Set(
  SCREEN_FUNCTIONS.map(({ signature }) => signature.slice(0, signature.indexOf('('))),
)
