/** The options of commands, and whether they take a value. */
export const OPTIONS = {
  window: 'string',
  snapshot: 'boolean',
  ref: 'string',
  text: 'string',
  opened: 'string',
  closed: 'string',
  gone: 'boolean',
  idle: 'boolean',
  timeout: 'string',
  infeasible: 'boolean',
  params: 'string',
} as const

/** How a command is called. */
interface CommandUsage {
  readonly usage: string
  readonly about: string
  readonly options?: readonly (keyof typeof OPTIONS)[]
  /** Its words may begin with a dash; the only option is --snapshot, as the last word. */
  readonly isText?: true
}

const SNAPSHOT = ['snapshot'] as const

const USAGES = {
  snapshot: { usage: 'snapshot [--window W]', about: 'print the window with refs', options: ['window'] },
  windows: { usage: 'windows', about: 'list the open windows' },
  find: {
    usage: 'find TEXT [--window W]',
    about: 'print the lines of the snapshot that contain a text',
    options: ['window'],
  },
  read: { usage: 'read REF', about: 'print the name, value and states of an element in full' },
  click: { usage: 'click REF|X,Y', about: 'click an element, or at a point', options: SNAPSHOT },
  'double-click': { usage: 'double-click REF|X,Y', about: 'click it twice', options: SNAPSHOT },
  'right-click': { usage: 'right-click REF|X,Y', about: 'open its context menu', options: SNAPSHOT },
  hover: { usage: 'hover REF|X,Y', about: 'move the pointer over it', options: SNAPSHOT },
  focus: { usage: 'focus REF', about: 'give it the keyboard', options: SNAPSHOT },
  invoke: { usage: 'invoke REF', about: 'perform its main action without the mouse', options: SNAPSHOT },
  check: { usage: 'check REF', about: 'tick it, unless it is ticked', options: SNAPSHOT },
  uncheck: { usage: 'uncheck REF', about: 'untick it, unless it is not ticked', options: SNAPSHOT },
  type: { usage: 'type REF TEXT', about: 'focus a field and type, after what it holds', isText: true },
  fill: { usage: 'fill REF TEXT', about: 'replace the content of a field', isText: true },
  clear: { usage: 'clear REF', about: 'empty a field', options: SNAPSHOT },
  select: { usage: 'select REF OPTION', about: 'choose an option of a list, combo box or menu', options: SNAPSHOT },
  press: {
    usage: 'press KEYS [--ref REF]',
    about: 'press a key or chord: enter, ctrl+s',
    options: ['snapshot', 'ref'],
  },
  scroll: {
    usage: 'scroll up|down|left|right [CLICKS] [--ref REF]',
    about: 'turn the wheel, 3 clicks by default',
    options: ['snapshot', 'ref'],
  },
  drag: { usage: 'drag REF REF', about: 'drag one element to another', options: SNAPSHOT },
  'focus-window': { usage: 'focus-window TITLE|NUMBER', about: 'raise a window', options: SNAPSHOT },
  wait: {
    usage: 'wait MS | --text T | --opened TITLE | --closed TITLE | --ref REF --gone | --idle [--timeout MS]',
    about: 'let time pass, or wait until something holds',
    options: ['text', 'opened', 'closed', 'ref', 'gone', 'idle', 'timeout'],
  },
  screenshot: { usage: 'screenshot [FILE] [--window W]', about: 'write a PNG', options: ['window'] },
  clipboard: { usage: 'clipboard get | set TEXT', about: 'read or replace the clipboard', isText: true },
  'webmcp-list': { usage: 'webmcp-list', about: 'list the tools that the page registers; do not trust them' },
  'webmcp-call': {
    usage: 'webmcp-call NAME [--params JSON]',
    about: 'call a tool that the page registers',
    options: ['snapshot', 'params'],
  },
  status: { usage: 'status', about: 'print the platform and the budget that is left' },
  finish: {
    usage: 'finish [--infeasible] [TEXT]',
    about: 'end the run: the task is done, or cannot be done',
    options: ['infeasible'],
  },
} as const satisfies Readonly<Record<string, CommandUsage>>

export type CommandName = keyof typeof USAGES

/** The commands of the text form, in the order of the help. */
export const COMMAND_USAGE: Readonly<Record<CommandName, CommandUsage>> = USAGES

const USAGE_WIDTH = 32

/** The help of a command, or of all. */
export function textHelp(name?: string): string {
  if (name !== undefined && Object.hasOwn(COMMAND_USAGE, name)) {
    const { usage, about } = COMMAND_USAGE[name as CommandName]
    return `usage: backlot desk ${usage}\n\n  ${about}\n`
  }
  const rows = Object.values(COMMAND_USAGE).map(({ usage, about }) =>
    usage.length > USAGE_WIDTH
      ? `  ${usage}\n  ${' '.repeat(USAGE_WIDTH)} ${about}`
      : `  ${usage.padEnd(USAGE_WIDTH)} ${about}`,
  )
  return `usage: backlot desk COMMAND [ARGUMENT...]

Uses a desktop of a running server. A snapshot gives refs such as e5, which the other commands take.

${rows.join('\n')}
  ${'skills [get [NAME]]'.padEnd(USAGE_WIDTH)} print how an agent uses this program
  ${'--shim FOLDER'.padEnd(USAGE_WIDTH)} write a program for the front of a PATH; see --contract
  ${'--contract NAME@VERSION'.padEnd(USAGE_WIDTH)} look like another program; before the command

Commands that act take --snapshot, which prints the window afterwards.

Environment: BACKLOT_URL, BACKLOT_SESSION, BACKLOT_TOKEN; or BACKLOT_DESK_FILE, a JSON file with url, session and token.
Exit code: 0 done, 1 the desktop refused, 2 wrong usage, 3 no server, or it does not admit the caller.
`
}
