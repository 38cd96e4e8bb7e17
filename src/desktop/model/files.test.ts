import { describe, expect, it } from 'vitest'
import {
  act,
  click,
  clickAt,
  drag,
  find,
  focus,
  press,
  select,
  setValue,
  type,
} from '../../../test/support/desktop/driver.ts'
import { withFolders } from '../files/folder.ts'
import { styleMetrics } from '../style/style.ts'
import { button, desktop, document, list, menuBar, menuItem, rect, window } from './builders.ts'
import type { Desktop } from './desktop.ts'
import {
  copyPath,
  type Files,
  freePath,
  listFolder,
  movePath,
  putFile,
  readFile,
  removePath,
  resolvePath,
  writeFile,
} from './files.ts'
import { centerOf } from './geometry.ts'
import { textWidth } from './text-width.ts'

const FILES: Files = { '/home/a.txt': 'alpha', '/home/docs/b.txt': 'beta', '/new': null }

describe('files', () => {
  it('[DT213] list folders first, whether they were written down or only hold something', () => {
    expect(listFolder(FILES, '/').map(({ name, isFolder }) => [name, isFolder])).toEqual([
      ['home', true],
      ['new', true],
    ])
    expect(listFolder(FILES, '/home').map(({ path }) => path)).toEqual(['/home/docs', '/home/a.txt'])
  })

  it('[DT214] read paths with dots and from a folder', () => {
    expect([resolvePath('/home', 'docs/../a.txt'), resolvePath('/home', '/new//x'), resolvePath('/', '../..')]).toEqual(
      ['/home/a.txt', '/new/x', '/'],
    )
    expect(() => resolvePath('/', ' ')).toThrow('is no path of a file')
  })

  it('[DT216] are written from outside with their folders, up to a limit', () => {
    expect(putFile(FILES, '/far/away/x', 'x')).toEqual({ ...FILES, '/far/away/x': 'x' })
    expect(putFile(FILES, '/home/a.txt', 'alpha')).toBe(FILES)
    expect(() => putFile(FILES, '/home/a.txt/b/c', '')).toThrow('/home/a.txt is a file')
    expect(() => putFile(FILES, '/home', '')).toThrow('/home is a folder')
    const full = Object.fromEntries(Array.from({ length: 10_000 }, (_, file) => [`/${file}`, '']))
    expect(() => putFile(full, '/one-more', '')).toThrow('the disk holds at most 10000 files')
  })

  it('[DT215] are written, copied, moved and removed as values; an emptied folder stays', () => {
    expect(writeFile(FILES, '/new/x', 'x')).toEqual({ ...FILES, '/new/x': 'x' })
    expect(removePath(FILES, '/home/docs/b.txt')).toEqual({ '/home/a.txt': 'alpha', '/home/docs': null, '/new': null })
    expect(movePath(FILES, '/home/docs', '/new/papers')).toEqual({
      '/home/a.txt': 'alpha',
      '/new': null,
      '/new/papers/b.txt': 'beta',
    })
    expect(freePath(FILES, '/home', 'a.txt')).toBe('/home/a (2).txt')
    expect(writeFile(FILES, '/home/a.txt', 'alpha')).toBe(FILES)
  })

  it('[DT217] reject impossible operations', () => {
    expect(() => readFile(FILES, '/home/none')).toThrow('there is no file /home/none')
    expect(() => readFile(FILES, '/home')).toThrow('/home is a folder')
    expect(() => writeFile(FILES, '/nowhere/x', '')).toThrow('there is no folder /nowhere')
    expect(() => copyPath(FILES, '/home', '/home/docs/home')).toThrow('/home/docs/home is inside /home')
    expect(() => copyPath(FILES, '/home/a.txt', '/new')).toThrow('/new is there already')
  })
})

const manager = () =>
  withFolders(
    desktop(
      { files: FILES },
      window(
        'Files',
        list('Left', { id: 'left', bounds: rect(110, 140, 300, 200), traits: { folder: '/home', multiSelect: true } }),
        list('Right', { id: 'right', bounds: rect(450, 140, 300, 200), traits: { folder: '/new' } }),
      ),
    ),
  )
const names = (on: Desktop, id: string) => find(on, id).children.map(({ name }) => name)

describe('a list of a folder', () => {
  it('[DT218] shows its content, opens a folder by double click or Enter, goes up by Backspace', () => {
    expect(names(manager(), 'left')).toEqual(['docs', 'a.txt'])
    const inside = act(manager(), click('left/docs', { count: 2 }))
    expect(names(inside, 'left')).toEqual(['b.txt'])
    expect(names(act(inside, press('backspace')), 'left')).toEqual(['docs', 'a.txt'])
    expect(names(act(manager(), click('left/docs'), press('enter')), 'left')).toEqual(['b.txt'])
  })

  it('[DT219] deletes, copies and pastes files by keys', () => {
    const gone = act(manager(), click('left/a.txt'), press('delete'))
    expect([names(gone, 'left'), gone.files!['/home/a.txt']]).toEqual([['docs'], undefined])
    const copied = act(manager(), click('left/a.txt'), press('ctrl+c'), focus('right'), press('ctrl+v', 'ctrl+v'))
    expect([copied.clipboard, names(copied, 'right')]).toEqual(['/home/a.txt', ['a (2).txt', 'a.txt']])
  })

  it('[DT121] continues at the index of deleted files', () => {
    const folder = withFolders({
      ...manager(),
      files: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/home/${name}`, ''])),
    })
    const gone = act(folder, click('left/c'), click('left/b', { modifiers: ['ctrl'] }), press('delete'))
    expect([names(gone, 'left'), find(gone, 'left').traits?.current]).toEqual([['a', 'd', 'e'], 'left/d'])
    expect(find(act(gone, press('down')), 'left/e').selected).toBe(true)
    const last = act(folder, click('left/e'), press('delete', 'up'))
    expect(find(last, 'left/c').selected).toBe(true)
  })

  it('[DT220] moves a dragged file to another folder, and copies it with ctrl', () => {
    const on = manager()
    const from = centerOf(find(on, 'left/a.txt').bounds)
    const moved = act(on, drag(from, { x: 600, y: 300 }))
    expect([names(moved, 'left'), names(moved, 'right')]).toEqual([['docs'], ['a.txt']])
    const copied = act(on, drag(from, centerOf(find(on, 'left/docs').bounds), ['ctrl']))
    expect(Object.keys(copied.files!).sort()).toEqual(['/home/a.txt', '/home/docs/a.txt', '/home/docs/b.txt', '/new'])
  })
})

const notepad = () =>
  desktop(
    { files: FILES },
    window(
      'Untitled - Notepad',
      { uid: 'notepad', bounds: rect(100, 60, 800, 600) },
      menuBar(
        'Menu',
        { bounds: rect(100, 92, 800, 24) },
        menuItem(
          'File',
          { id: 'file', bounds: rect(100, 92, 60, 24) },
          menuItem('Open', { id: 'open', traits: { fileCommand: { does: 'open', element: 'body' } } }),
          menuItem('Save as', { id: 'save-as', traits: { fileCommand: { does: 'save-as', element: 'body' } } }),
        ),
      ),
      button('Save', {
        id: 'save',
        bounds: rect(110, 120, 80, 28),
        keyboardShortcut: 'Ctrl+S',
        traits: { fileCommand: { does: 'save', element: 'body' } },
      }),
      document('Body', { id: 'body', bounds: rect(100, 160, 800, 480) }),
    ),
  )
const titles = (on: Desktop) => on.windows.map(({ title }) => title)

describe('file dialogs', () => {
  it('[DT103] is clicked between the letters that its style shows', () => {
    const asked = act({ ...notepad(), style: 'windows' }, click('body'), press('ctrl+s'), type('minimum width'))
    const { bounds } = find(asked, 'name')
    const { family, field } = styleMetrics('windows').text
    const x = bounds.x + 9 + textWidth('minimum', field, family)
    expect(find(act(asked, clickAt({ x, y: bounds.y + 10 }), type('|')), 'name').value).toBe('minimum| width')
    expect(find(act(notepad(), click('body'), press('ctrl+s')), 'name').traits?.fieldText).toBeUndefined()
  })

  it('[DT221] save a text under a name, then again without asking', () => {
    const asked = act(notepad(), click('body'), type('Dear all'), press('ctrl+s'))
    expect([titles(asked), find(asked, 'name').focused]).toEqual([['Save as', 'Untitled - Notepad'], true])
    const saved = act(asked, click('files/home', { count: 2 }), setValue('name', 'letter.txt'), click('accept'))
    expect([titles(saved), saved.files!['/home/letter.txt'], find(saved, 'body').focused]).toEqual([
      ['letter.txt - Notepad'],
      'Dear all',
      true,
    ])
    const again = act(saved, press('ctrl+end'), type('!'), press('ctrl+s'))
    expect([titles(again), again.files!['/home/letter.txt']]).toEqual([['letter.txt - Notepad'], 'Dear all!'])
  })

  it('[DT222] open the file that is chosen in the list, by its name or by a double click', () => {
    const shown = act(
      notepad(),
      click('file'),
      click('open'),
      click('files/home', { count: 2 }),
      select('files', { name: 'a.txt' }),
    )
    expect([find(shown, 'name').value, find(shown, 'folder').value]).toEqual(['a.txt', '/home'])
    const opened = act(shown, press('enter'))
    expect([titles(opened), find(opened, 'body').value]).toEqual([['a.txt - Notepad'], 'alpha'])
    expect(find(act(shown, click('files/a.txt', { count: 2 })), 'body').value).toBe('alpha')
  })

  it('[DT226] ask before another file is replaced, but not about the one that the text came from', () => {
    const named = (name: string) => {
      const body = document('Body', { id: 'body', value: 'new', traits: { path: '/home/b.txt' } })
      const traits = { fileCommand: { does: 'save-as', element: 'body' } } as const
      const on = desktop(
        { files: { '/home/a.txt': 'AAA', '/home/b.txt': 'BBB' } },
        window('b.txt', { uid: 'w' }, body, button('Save as', { id: 'save-as', traits })),
      )
      return act(on, click('save-as'), press('ctrl+a'), type(name), press('enter'))
    }
    const asked = named('a.txt')
    expect([titles(asked), asked.files!['/home/a.txt']]).toEqual([['Replace', 'Save as', 'b.txt'], 'AAA'])
    expect([find(asked, 'status').name, find(asked, 'cancel').focused]).toEqual([
      'Replace a.txt? What is in it will be lost.',
      true,
    ])
    const back = act(asked, press('enter'))
    expect([titles(back), find(back, 'name').focused, back.files!['/home/a.txt']]).toEqual([
      ['Save as', 'b.txt'],
      true,
      'AAA',
    ])
    const replaced = act(asked, click('accept'))
    expect([titles(replaced), replaced.files!['/home/a.txt'], find(replaced, 'body').focused]).toEqual([
      ['a.txt'],
      'new',
      false,
    ])
    expect(titles(act(asked, press('escape'), click('files/a.txt', { count: 2 })))[0]).toBe('Replace')
    expect([titles(named('b.txt')), named('b.txt').files!['/home/b.txt']]).toEqual([['b.txt'], 'new'])
    expect([titles(named('c.txt')), named('c.txt').files!['/home/c.txt']]).toEqual([['c.txt'], 'new'])
  })

  it('[DT223] show errors in the dialog, and cancel without changes', () => {
    const wrong = act(notepad(), click('file'), click('open'), setValue('name', 'nothing'), press('enter'))
    expect([find(wrong, 'status').name, titles(wrong)]).toEqual([
      'there is no file /nothing',
      ['Open', 'Untitled - Notepad'],
    ])
    expect(act(wrong, press('escape')).windows).toEqual(act(notepad(), click('file'), press('escape')).windows)
  })
})

const tools = () => {
  const command = (id: string, name: string, does: 'copy' | 'paste' | 'rename' | 'delete', keyboardShortcut: string) =>
    button(name, { id, keyboardShortcut, traits: { fileCommand: { does, element: 'list' } } })
  return withFolders(
    desktop(
      { files: FILES },
      window(
        'Files',
        { uid: 'files' },
        command('copy', 'Copy', 'copy', 'ctrl+c'),
        command('paste', 'Paste', 'paste', 'ctrl+v'),
        command('rename', 'Rename', 'rename', 'f2'),
        command('delete', 'Delete', 'delete', 'delete'),
        list('List', { id: 'list', bounds: rect(110, 340, 300, 200), traits: { folder: '/home', multiSelect: true } }),
      ),
    ),
  )
}

describe('file commands on a list', () => {
  it('[DT224] copy and paste the selection', () => {
    const pasted = act(tools(), click('list/a.txt'), click('copy'), click('paste'))
    expect([pasted.clipboard, names(pasted, 'list')]).toEqual(['/home/a.txt', ['docs', 'a (2).txt', 'a.txt']])
  })

  it('[DT224] rename one file by a dialog, in which the name is selected up to its ending', () => {
    const renamed = act(tools(), click('list/a.txt'), click('rename'), type('b'), press('enter'))
    expect([titles(renamed), names(renamed, 'list'), renamed.files!['/home/b.txt']]).toEqual([
      ['Files'],
      ['docs', 'b.txt'],
      'alpha',
    ])
    expect(titles(act(tools(), click('rename')))).toEqual(['Files'])
  })

  it('[DT223] keep the dialog open while the new name will not do', () => {
    const said = (name: string) =>
      find(act(tools(), click('list/a.txt'), click('rename'), setValue('name', name), click('accept')), 'status').name
    expect([said('docs'), said('x/y'), said('')]).toEqual([
      '/home/docs is there already',
      'a name has no slash in it',
      '"" is no path of a file',
    ])
  })

  it('[DT224] delete only after confirmation, with the focus on Cancel', () => {
    const asked = act(tools(), click('list/a.txt'), click('delete'))
    expect([find(asked, 'status').name, find(asked, 'cancel').focused]).toEqual([
      'Delete a.txt? It cannot be undone.',
      true,
    ])
    expect(names(act(asked, press('enter')), 'list')).toEqual(['docs', 'a.txt'])
    expect(names(act(asked, click('accept')), 'list')).toEqual(['docs'])
  })

  it('[DT225] receive their shortcuts, also while the list has the focus', () => {
    const asked = act(tools(), click('list/a.txt'), press('delete'))
    expect([titles(asked), names(asked, 'list')]).toEqual([
      ['Delete', 'Files'],
      ['docs', 'a.txt'],
    ])
  })
})
