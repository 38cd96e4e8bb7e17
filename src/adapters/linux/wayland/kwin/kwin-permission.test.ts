import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  checkPermission,
  parsePermission,
  permissionFiles,
  permissionPath,
  permissionQuestion,
  permissionText,
  writePermission,
} from './kwin-permission.ts'

// Rules such as [LX63j] are stated in the README of the adapter.

const folder = mkdtempSync(join(tmpdir(), 'backlot-permission-'))
afterAll(() => rmSync(folder, { recursive: true }))

const OWN = '/home/ada/.local/share/applications/backlot.desktop'
const NODE = '/usr/bin/node'
const file = (program: string, path = OWN) => ({ path, program, hasInput: true, hasPictures: true })

it('[LX63j] is written to the folder of applications, and read back', () => {
  const env = { HOME: folder }
  const path = permissionPath(env)!
  expect(path).toBe(join(folder, '.local/share/applications/backlot.desktop'))
  expect(permissionPath({ HOME: folder, XDG_DATA_HOME: '/data' })).toBe('/data/applications/backlot.desktop')
  expect(permissionPath({})).toBeUndefined()
  expect(permissionFiles(env)).toEqual([])
  writePermission(path, NODE)
  expect(readFileSync(path, 'utf8')).toBe(permissionText(NODE))
  expect(permissionFiles(env)).toEqual([file(NODE, path)])
})

it.each([
  ['of another program', '[Desktop Entry]\nName=Kate\nExec=kate %U\n', undefined],
  [
    'with the interfaces of an action',
    '[Desktop Entry]\nExec=a\n[Desktop Action x]\nX-KDE-Wayland-Interfaces=org_kde_kwin_fake_input\n',
    undefined,
  ],
  [
    'with several interfaces',
    '# x\n[Desktop Entry]\nX-KDE-Wayland-Interfaces = a, org_kde_kwin_fake_input\nExec = /opt/node\n',
    { path: 'x', program: '/opt/node', hasInput: true, hasPictures: false },
  ],
  [
    'for pictures only',
    '[Desktop Entry]\nX-KDE-DBUS-Restricted-Interfaces=org.kde.KWin.ScreenShot2;b\nExec=/usr/bin/spectacle\n',
    { path: 'x', program: '/usr/bin/spectacle', hasInput: false, hasPictures: true },
  ],
])('[LX63j] reads a file %s', (_, text, expected) => {
  expect(parsePermission('x', text)).toEqual(expected)
})

it.each([
  ['granted', [file(NODE)], true, 'good', `${OWN} permits ${NODE}`],
  ['granted to all', [], true, 'good', 'KWin permits it to every program'],
  ['missing', [], false, 'bad', `no .desktop file permits ${NODE}`],
  ['that of another Node', [file('/opt/node')], false, 'bad', `${OWN} permits /opt/node, and this Node is ${NODE}`],
  ['unread', [file(NODE)], false, 'bad', 'KWin has not read it'],
  ['for pictures only', [{ ...file(NODE), path: 'x', hasInput: false }], false, 'bad', 'no .desktop file permits'],
] as const)('[LX63j] is %s', (_, files, isGranted, verdict, found) => {
  expect(checkPermission(files, NODE, { isGranted, own: OWN })).toMatchObject({
    subject: 'permission of KWin',
    verdict,
    found: expect.stringContaining(found),
    ...(verdict === 'bad' ? { fix: expect.any(String) } : {}),
  })
})

it('[LX63k] shows the file, where it goes and whom it permits before a person agrees', () => {
  const question = permissionQuestion(OWN, NODE).join('\n')
  for (const text of [
    OWN,
    `Exec=${NODE}`,
    'every program that node at /usr/bin/node runs',
    'until you delete the file',
  ])
    expect(question).toContain(text)
})
