import { Fault } from '../../base/fault.ts'
import { exists, type Files, folderOf, isFile, isFolder, resolvePath } from '../../desktop/files/files.ts'
import type { ReportProblem } from '../load/problem.ts'
import type { KeyPath } from '../load/source.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { allWindows } from '../schema/visit.ts'

/**
 * Reports invalid paths, files inside files, and elements that show missing files or run commands on missing elements.
 */
export function checkFiles(scenario: WrittenScenario, complain: ReportProblem): void {
  const files: Files = scenario.files ?? {}
  for (const path of Object.keys(files)) {
    const wrong = faultOfPath(path) ?? faultOfFolder(files, path)
    if (wrong !== undefined) complain(['files', path], wrong, true)
  }
  for (const { window, path } of allWindows(scenario))
    if (window.tree) checkTree(window.tree, [...path, 'tree'], files, complain)
}

/** The problem with a written path, or undefined if it is valid. */
export function faultOfPath(path: string): string | undefined {
  try {
    const canonical = resolvePath('/', path)
    return canonical === path ? undefined : `expected the path from the root, ${JSON.stringify(canonical)}`
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

function faultOfFolder(files: Files, path: string): string | undefined {
  if (isFile(files, path) && Object.keys(files).some((other) => other.startsWith(`${path}/`)))
    return 'is a file and cannot hold others'
  return path === '/' && files[path] !== null ? 'is the root folder' : undefined
}

function checkTree(root: WrittenElement, rootPath: KeyPath, files: Files, complain: ReportProblem): void {
  const lists = new Map<string, boolean>()
  const commands: { readonly path: KeyPath; readonly element: string; readonly onList: boolean }[] = []
  visit(root, rootPath, 'root')
  for (const { path, element, onList } of commands) {
    const shows = lists.get(element)
    if (shows === undefined)
      complain(path, (hint) => `the window has no element ${JSON.stringify(element)}${hint(element, lists.keys())}`)
    else if (onList && !shows) complain(path, `the element ${JSON.stringify(element)} shows no folder; give it one`)
  }

  function visit(element: WrittenElement, path: KeyPath, position: string): void {
    const { folder, file, file_command: command } = element
    lists.set(element.id ?? position, folder !== undefined)
    if (folder !== undefined && !isFolder(files, folder))
      complain(
        [...path, 'folder'],
        (hint) => `there is no folder ${JSON.stringify(folder)} in files${hint(folder, foldersIn(files))}`,
      )
    if (typeof file === 'string' && !isFile(files, file))
      complain(
        [...path, 'file'],
        (hint) => `there is no file ${JSON.stringify(file)} in files${hint(file, Object.keys(files))}`,
      )
    if (command) {
      const onList = !['open', 'save', 'save-as'].includes(command.does)
      commands.push({ path: [...path, 'file_command', 'element'], element: command.element, onList })
    }
    element.children?.forEach((child, index) => {
      visit(child, [...path, 'children', index], `${position}.${index}`)
    })
  }
}

const foldersIn = (files: Files): readonly string[] =>
  [...new Set(Object.keys(files).flatMap((path) => [path, folderOf(path)]))].filter(
    (path) => exists(files, path) && isFolder(files, path),
  )
