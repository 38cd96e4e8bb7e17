import type { ToolDescription } from '../../../agent/toolbox.ts'

/** Descriptions of the tools that clients execute on their machine. */

const number = (description: string) => ({ type: 'number', description })
const string = (description: string) => ({ type: 'string', description })
const choice = (...options: readonly string[]) => ({ type: 'string', enum: options })

const tool = (
  name: string,
  description: string,
  properties: Readonly<Record<string, unknown>> = {},
  required: readonly string[] = [],
): ToolDescription => ({ name, description, input: { type: 'object', properties, required } })

const at = { x: number('Pixels from the left edge of the screen'), y: number('Pixels from its upper edge') }

/** The built-in client tools. */
export const LOCAL_TOOLS: readonly ToolDescription[] = [
  tool(
    'mouse_control',
    'Move the pointer, click, or drag.',
    {
      action: choice('click', 'double_click', 'right_click', 'move', 'drag'),
      ...at,
      to_x: number('Where a drag ends'),
      to_y: number('Where a drag ends'),
    },
    ['action', 'x', 'y'],
  ),
  tool(
    'keyboard_control',
    'Type text, or press a key or a chord.',
    { action: choice('type', 'press'), text: string('What to type'), keys: string('A key or a chord, such as ctrl+s') },
    ['action'],
  ),
  tool('screenshot', 'Take a picture of the screen.'),
  tool(
    'scroll_control',
    'Turn the wheel.',
    { direction: choice('up', 'down'), amount: number('Notches of the wheel; 3 when left out'), ...at },
    ['direction'],
  ),
  tool('switch_window', 'Bring a window to the front.', { title: string('Some of its title') }, ['title']),
  tool('wait', 'Let time pass.', { seconds: number('How long') }, ['seconds']),
  tool('get_open_windows', 'List the windows, the front one first.'),
  tool('get_system_stats', 'Tell how busy the machine is.'),
  tool('open_app', 'Start a program.', { name: string('Its name') }, ['name']),
  tool('run_shell_command', 'Run a command and read its output.', { command: string('The command line') }, ['command']),
  tool('process', 'List or end processes.', { action: choice('list', 'kill'), pid: number('Which one') }, ['action']),
  tool('read_file', 'Read a text file.', { path: string('Where it is') }, ['path']),
  tool(
    'replace',
    'Replace text in a file.',
    { path: string('Where it is'), old_text: string('What stands there'), new_text: string('What is to stand there') },
    ['path', 'old_text', 'new_text'],
  ),
  tool(
    'browser',
    'Drive a web browser.',
    { action: choice('open', 'read', 'click', 'type'), url: string('An address') },
    ['action'],
  ),
]

/** The capabilities that tools need, if they can be disabled. */
export const CAPABILITY_OF: ReadonlyMap<string, string> = new Map([
  ['web_search', 'web_search'],
  ['browser', 'browser'],
])

/** Returns whether a tool controls the desktop. */
export const isComputerUse = (name: string): boolean =>
  ['mouse_control', 'keyboard_control', 'screenshot', 'scroll_control', 'switch_window', 'wait'].includes(name)

/** A tool in the flat format of HTTP (WindieOS document, "prompt-preview"). */
export const flatTool = ({ name, description, input }: ToolDescription) => ({
  type: 'function' as const,
  name,
  description,
  parameters: { ...input },
})

/** A tool in the nested format of the socket (WindieOS document, "tool-schemas"). */
export const nestedTool = ({ name, description, input }: ToolDescription) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...input } },
})
