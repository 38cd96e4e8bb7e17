import { type DeskCommand, textArg } from './desk-call.ts'
import { CommandError } from './envelope.ts'
import { namedSession } from './snapshots.ts'

/** `session start`, `end`, `list` and `gc`. A session is named by its id in each call; starting one does not make it the current one. */
export const session: DeskCommand = async (call) => {
  const { state, desk, args } = call
  const atMs = desk.session.context.clock.now()
  const named = [...state.sessions.values()].filter(({ id }) => id !== '')
  switch (args.verb as 'start' | 'list' | 'end' | 'gc') {
    case 'start': {
      const count = ++state.sessionCount
      // As `run-MS-PID-N`, from numbers that are the same in every run.
      const { id, name } = namedSession(
        state,
        `run-${Math.round(atMs)}-${count + 1000}-${count}`,
        atMs,
        textArg(call, 'name'),
      )
      return { session_id: id, ...(name !== undefined && { name }), activated: false, tracing: false }
    }
    case 'list':
      return {
        sessions: named.map(({ id, name, endedMs }) => ({
          id,
          ...(name !== undefined && { name }),
          ended: endedMs !== undefined,
        })),
      }
    case 'end': {
      const id = textArg(call, 'id') ?? call.session.id
      const found = state.sessions.get(id)
      if (id === '' || !found) throw new CommandError('INVALID_ARGS', `Session '${id}' does not exist`)
      found.endedMs = atMs
      for (const [key, { owner }] of state.snapshots) if (owner === id) state.snapshots.delete(key)
      return { session_id: id, ended: true }
    }
    case 'gc': {
      const ended = named.filter(({ endedMs }) => endedMs !== undefined)
      for (const { id } of ended) state.sessions.delete(id)
      return { removed: ended.map(({ id }) => id) }
    }
  }
}

const SKILL = 'desktop'
const PLATFORM_SKILLS = ['macos', 'windows', 'linux']

const SKILL_TEXT = `# desktop

Commands print one line of JSON: {"ok":true,"data":...} or {"ok":false,"error":{"code":...}}.

1. \`agent-desktop snapshot -i --compact\` prints the focused window. Elements that can be used have a ref_id such as @s1abc:e5.
2. Act on the ref_id: \`click REF\`, \`type REF TEXT\`, \`set-value REF TEXT\`, \`clear REF\`, \`select REF OPTION\`, \`check REF\`, \`uncheck REF\`,
   \`expand REF\`, \`collapse REF\`, \`press COMBO\`, \`scroll REF --direction down\`.
3. \`disposition\` says what became of it. After delivered_unverified look before you do anything again; a retry is safe only after
   not_delivered.
4. STALE_REF and SNAPSHOT_NOT_FOUND: take a new snapshot, find the element in it, and repeat. AMBIGUOUS_TARGET: several elements are alike.
5. Wait with \`wait --text TEXT\`, \`wait --element REF --predicate enabled\`, \`wait --window TITLE\`, never with sleep.
6. \`find --role button --name Save --first\` finds an element; its ref_id is valid as those of a snapshot.
7. \`list-windows\`, \`focus-window --app APP\`, \`list-notifications\`, \`dismiss-all-notifications\` manage what is in the way.
`

const platformText = (name: string): string =>
  `# ${name}\n\nThe desktop looks like ${name}. All commands of the skill desktop work; roles are the same on every platform.\n`

const skillText = (name: string): string => (name === SKILL ? SKILL_TEXT : platformText(name))

/** `skills list`, `skills get NAME` and `skills path`, which writes them into a folder of the caller. */
export const skills: DeskCommand = async ({ args, environment, home, files }) => {
  const names = environment.BACKLOT_SKILL === '' ? [] : [SKILL, ...PLATFORM_SKILLS]
  const { verb = 'list', name = SKILL } = args as { readonly verb?: string; readonly name?: string }
  if (verb === 'list') return { skills: names.map((each) => ({ name: each })) }
  if (verb === 'path') {
    const path = `${home}/.agent-desktop/skills`
    for (const each of names)
      files.push({ path: `${path}/${each}/SKILL.md`, data: Buffer.from(skillText(each)).toString('base64') })
    return { path }
  }
  if (!names.includes(name))
    throw new CommandError(
      'INVALID_ARGS',
      `Unknown skill '${name}'; there are ${names.join(', ') || 'none in this run'}`,
    )
  return { name, content: skillText(name) }
}

/** The server has traces of its own; the harness records them. */
export const trace: DeskCommand = async ({ args }) => {
  if (args.verb === 'show') return { events: [], total: 0, truncated: false }
  throw new CommandError('ACTION_NOT_SUPPORTED', 'Traces are recorded by the harness', { delivery: 'not_delivered' })
}
