import { basename } from 'node:path/posix'
import { Fault } from '../../../base/fault.ts'
import { imageType } from '../../../paint/png/read-png.ts'
import type { Route } from '../../http/route.ts'
import {
  type ClientCommand,
  MISSING,
  parseCommand,
  postAnswers,
  route,
  runCommand,
  type ServerContext,
  sendText,
} from '../commands.ts'
import { callTool, type ToolCaller } from '../machine.ts'
import { Launch, MissingFault, PathBody, WindowBody } from '../wire.ts'
import { expandHome, readDiskFile } from './files.ts'
import { findWindow } from './screen.ts'

/** Routes that prepare the desktop for a task. */
export const SETUP_ROUTES: readonly Route<ServerContext>[] = [
  route(
    {
      method: 'post',
      path: '/setup/launch',
      summary: 'Start a program or raise its window.',
      body: Launch,
      responses: postAnswers('text/plain'),
    },
    async (context, { body, request, reply }) => {
      const { command, shell } = body()
      const caller = context.callerOf(request)
      const parsed = parseCommand(command, shell)
      const shown = shownCommand(command, parsed)
      if (parsed.kind === 'unknown') await context.programs.inTurn(() => raiseProgram(caller, parsed.program))
      else {
        const { returncode, error } = await runCommand(context, caller, command, shell)
        if (returncode !== 0) throw new Fault('PlatformUnsupported', `${shown} failed: ${error}`)
      }
      return sendText(reply, `${shown} launched successfully`)
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/open_file',
      summary: 'Open a file from a list that shows it.',
      body: PathBody,
      responses: { ...postAnswers('text/plain'), ...MISSING },
    },
    async ({ callerOf, programs }, { body, request, reply }) => {
      const caller = callerOf(request)
      const path = await expandHome(caller, body().path)
      await readDiskFile(caller, path)
      await programs.inTurn(() => openInFileManager(caller, path))
      return sendText(reply, 'File opened successfully')
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/activate_window',
      summary: 'Activate a window.',
      body: WindowBody,
      responses: { ...postAnswers('text/plain'), ...MISSING },
    },
    async ({ callerOf, programs }, { body, request, reply }) => {
      const wanted = body()
      await programs.inTurn(() => raise(callerOf(request), wanted))
      return sendText(reply, 'Window activated successfully')
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/close_window',
      summary: 'Close a window.',
      body: WindowBody,
      responses: { ...postAnswers('text/plain'), ...MISSING },
    },
    async ({ callerOf, programs }, { body, request, reply }) => {
      const caller = callerOf(request)
      const wanted = body()
      await programs.inTurn(async () => {
        await raise(caller, wanted)
        await callTool(caller, 'press_keys', { keys: 'alt+f4' })
      })
      return sendText(reply, 'Window closed successfully')
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/change_wallpaper',
      summary: 'Choose a picture as wallpaper.',
      body: PathBody,
      responses: { ...postAnswers('text/plain'), ...MISSING },
    },
    async (context, { body, request, reply }) => {
      const caller = context.callerOf(request)
      const path = await expandHome(caller, body().path)
      const bytes = context.binaries.bytesOf(await readDiskFile(caller, path))
      if (imageType(bytes) === undefined) throw new Fault('BadRequest', `${path} is not a picture`)
      context.wallpaper = bytes
      return sendText(reply, 'Wallpaper changed successfully')
    },
  ),
]

/** The route that returns the wallpaper. */
export const WALLPAPER_ROUTE = route(
  {
    method: 'post',
    path: '/wallpaper',
    summary: 'The chosen wallpaper.',
    responses: { ...postAnswers('image/*'), ...MISSING },
  },
  ({ wallpaper }, { reply }) => {
    if (!wallpaper) throw new MissingFault('no wallpaper was set; the background is that of the scenario')
    return reply.type(imageType(wallpaper) ?? 'application/octet-stream').send(wallpaper)
  },
)

const MAX_SHOWN_CHARACTERS = 200

/** A command in a response. Arguments of `backlot` may be secrets. */
function shownCommand(command: string | readonly string[], parsed: ClientCommand): string {
  if (parsed.kind === 'backlot') return 'backlot'
  const line = typeof command === 'string' ? command : command.join(' ')
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line
}

interface RequestedWindow {
  readonly window_name: string
  readonly strict: boolean
  readonly by_class: boolean
}

async function raise(caller: ToolCaller, { window_name, strict, by_class }: RequestedWindow): Promise<void> {
  assertSynthetic(caller, 'arranging windows')
  const { window_uid } = await findWindow(caller, { name: window_name, isClass: by_class, isStrict: strict })
  await callTool(caller, 'bring_to_foreground', { window_uid })
}

/** Raises the window of a program that the scenario has open. */
async function raiseProgram(caller: ToolCaller, program: string): Promise<void> {
  assertSynthetic(caller, 'launching programs')
  const name = basename(program)
  if (name === '') throw new Fault('BadRequest', 'command: it names no program')
  try {
    const { window_uid } = await findWindow(caller, { name, isClass: true, isStrict: false })
    await callTool(caller, 'bring_to_foreground', { window_uid })
  } catch (thrown) {
    if (!(thrown instanceof MissingFault)) throw thrown
    throw new Fault(
      'PlatformUnsupported',
      `this desktop has no program ${JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS))} to launch`,
    )
  }
}

/** Opens a file by a double click on it in a list that shows it. */
async function openInFileManager(caller: ToolCaller, path: string): Promise<void> {
  const name = basename(path)
  const { windows } = await callTool(caller, 'list_windows', {})
  for (const { window_uid } of windows) {
    try {
      const selector = `ListItem[name=${JSON.stringify(name)}]`
      await callTool(caller, 'double_click_element', { selector, window_uid })
      return
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'ElementNotFound') throw thrown
    }
  }
  throw new Fault('PlatformUnsupported', `no list of this desktop shows ${name}, so that nothing here can open it`)
}

function assertSynthetic({ session }: ToolCaller, what: string): void {
  if (!session.computer.info.synthetic)
    throw new Fault('PlatformUnsupported', `${what} needs a synthetic desktop; this one is real`)
}
