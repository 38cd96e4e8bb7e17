import { expect, it } from 'vitest'
import { notInstalled } from './install-packages.ts'

it('a package counts as installed only if dpkg says so, whatever other packages bring', () => {
  const listing = 'libreoffice-impress installed\nlibreoffice-calc config-files\nxvfb unpacked\npython3 installed\n'
  const names = ['libreoffice-writer', 'libreoffice-calc', 'xvfb', 'python3', 'python']
  expect(notInstalled(names, listing)).toEqual(['libreoffice-writer', 'libreoffice-calc', 'xvfb', 'python'])
  expect(notInstalled(['xvfb'], '')).toEqual(['xvfb'])
})
