import { readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { systemIds } from '../base/ids.ts'
import { frameFiles } from './frame-files.ts'

const openFrames = () => frameFiles(systemIds)

it('other programs of the user read what was written, until it is closed', () => {
  const file = openFrames()(8)
  file.write(Buffer.from('abcd'), 4)
  file.write(Buffer.from('xy'), 0)
  expect(readFileSync(file.path)).toEqual(Buffer.from('xy\0\0abcd'))
  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  const { path } = file
  file.close()
  file.close()
  expect(() => readFileSync(path)).toThrow('ENOENT')
})

it('refuses more files than may be open, and takes one again when another was closed', () => {
  const open = openFrames()
  const files = Array.from({ length: 1024 }, () => open(1))
  expect(() => open(1)).toThrow(expect.objectContaining({ code: 'Busy' }))
  files[0]!.close()
  files.push(open(1))
  for (const file of files) file.close()
})
