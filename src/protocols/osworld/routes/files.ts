import { basename } from 'node:path/posix'
import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { Route } from '../../http/route.ts'
import { FORM, MISSING, POST_PROBLEMS, postAnswers, route, type ServerContext, sendText } from '../commands.ts'
import { callTool, type ToolCaller } from '../machine.ts'
import { type DirectoryTree, DownloadBody, formFields, MissingFault, PathBody, readForm } from '../wire.ts'

const DEFAULT_HOME = '/home/user'

const Tree = z.object({
  type: z.enum(['directory', 'file']),
  name: z.string(),
  get children() {
    return z.array(Tree).optional()
  },
})

/** Routes for the files of the desktop. */
export const FILE_ROUTES: readonly Route<ServerContext>[] = [
  route(
    {
      method: 'post',
      path: '/desktop_path',
      summary: 'The folder of the desktop.',
      responses: { ...postAnswers(z.object({ desktop_path: z.string() })), ...MISSING },
    },
    async ({ callerOf }, { request }) => ({ desktop_path: await desktopOf(callerOf(request)) }),
  ),

  route(
    {
      method: 'post',
      path: '/list_directory',
      summary: 'The files in a folder, at any depth.',
      body: PathBody,
      responses: postAnswers(z.object({ directory_tree: Tree })),
    },
    async ({ callerOf }, { body, request }) => {
      const caller = callerOf(request)
      const path = await expandHome(caller, body().path)
      if (path === (await desktopOf(caller)) && !(await entriesIn(caller, path)))
        return { directory_tree: treeOf(path, []) }
      const listing = await callTool(caller, 'list_disk_files', { path })
      return { directory_tree: treeOf(listing.path, listing.entries) }
    },
  ),

  route(
    {
      method: 'post',
      path: '/file',
      summary: 'The content of a file.',
      body: z.object({ file_path: z.string() }),
      bodyType: FORM,
      responses: { ...postAnswers('application/octet-stream'), ...MISSING },
    },
    async ({ callerOf, binaries }, { request, reply }) => {
      const { file_path: path } = await formFields(request)
      if (!path) throw new Fault('BadRequest', 'the form field file_path is missing')
      const caller = callerOf(request)
      const bytes = binaries.bytesOf(await readDiskFile(caller, await expandHome(caller, path)))
      return reply.type('application/octet-stream').header('content-disposition', attachment(path)).send(bytes)
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/upload',
      summary: 'Write a file.',
      body: z.object({ file_path: z.string(), file_data: z.file() }),
      bodyType: 'multipart/form-data',
      responses: postAnswers('text/plain'),
    },
    async ({ callerOf, binaries }, { request, reply }) => {
      const { fields, files } = await readForm(request)
      const { file_path: path } = fields
      const bytes = files.file_data
      if (!path || !bytes) throw new Fault('BadRequest', 'the form needs the field file_path and the file file_data')
      const caller = callerOf(request)
      await callTool(caller, 'write_disk_file', {
        path: await expandHome(caller, path),
        content: binaries.textFor(bytes),
      })
      return sendText(reply, 'File Uploaded')
    },
  ),

  route(
    {
      method: 'post',
      path: '/setup/download_file',
      summary: 'Refused: the server opens no connections.',
      body: DownloadBody,
      responses: POST_PROBLEMS,
    },
    (_context, { body, reply }) => {
      body()
      const message = 'this server opens no connections; send the file itself to POST /setup/upload'
      return reply.code(500).send({ status: 'error', message })
    },
  ),
]

/** Names in headers are ASCII without quotes. */
const attachment = (path: string): string =>
  `attachment; filename="${basename(path)
    .replace(/[^\x20-\x7e]|["\\]/g, '_')
    .slice(0, 200)}"`

/** The text of a file. Throws `MissingFault` when it does not exist. */
export async function readDiskFile(caller: ToolCaller, path: string): Promise<string> {
  try {
    return (await callTool(caller, 'read_disk_file', { path })).content
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'BadRequest') throw new MissingFault(thrown.message)
    throw thrown
  }
}

/** What is in a folder. Undefined when there is no such folder. */
async function entriesIn(caller: ToolCaller, path: string) {
  try {
    return (await callTool(caller, 'list_disk_files', { path })).entries
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'BadRequest') return undefined
    throw thrown
  }
}

/** The home folder: the first folder below `/home`. */
async function homeOf(caller: ToolCaller): Promise<string> {
  const entries = await entriesIn(caller, '/home')
  return entries?.find(({ path, folder }) => folder && /^\/home\/[^/]+$/.test(path))?.path ?? DEFAULT_HOME
}

/** The desktop folder, which exists on a disk without files too. */
const desktopOf = async (caller: ToolCaller): Promise<string> => `${await homeOf(caller)}/Desktop`

/** Replaces `~` at the beginning of a path. */
export async function expandHome(caller: ToolCaller, path: string): Promise<string> {
  return path === '~' || path.startsWith('~/') ? (await homeOf(caller)) + path.slice(1) : path
}

function treeOf(root: string, entries: readonly { readonly path: string; readonly folder: boolean }[]): DirectoryTree {
  const top: DirectoryTree & { children: DirectoryTree[] } = { type: 'directory', name: basename(root), children: [] }
  const folders = new Map<string, DirectoryTree[]>([[root, top.children]])
  // Sorted by path, so that a folder comes before its content.
  for (const { path, folder } of entries) {
    const parent = folders.get(path.slice(0, Math.max(1, path.lastIndexOf('/'))))
    const children: DirectoryTree[] = []
    if (folder) folders.set(path, children)
    parent?.push(
      folder ? { type: 'directory', name: basename(path), children } : { type: 'file', name: basename(path) },
    )
  }
  return top
}
