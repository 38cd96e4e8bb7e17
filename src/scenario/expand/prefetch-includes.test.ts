import { describe, expect, it } from 'vitest'
import { Fault } from '../../base/fault.ts'
import { mayInclude, prefetchIncludes } from '../load/prefetch-includes.ts'

const FILES: Readonly<Record<string, string>> = {
  'shop/parts/a.yaml': 'include: [../b.yaml, /abs.yaml]',
  'shop/b.yaml': 'components: {}',
  '/abs.yaml': 'include: abs.yaml',
}
const read = async (path: string) => {
  const text = FILES[path]
  if (text === undefined) throw new Fault('BadRequest', `no ${path}`)
  return text
}

describe('files to include', () => {
  it('[EXP35] are read by their path from the file that names them', async () => {
    const include = await prefetchIncludes('include: parts/a.yaml', 'shop/main.yaml', read)
    expect(include('parts/a.yaml', 'shop/main.yaml')).toEqual({
      file: 'shop/parts/a.yaml',
      text: FILES['shop/parts/a.yaml'],
    })
    expect(include('../b.yaml', 'shop/parts/a.yaml')).toEqual({ file: 'shop/b.yaml', text: FILES['shop/b.yaml'] })
    expect(include('/abs.yaml', 'shop/parts/a.yaml')).toEqual({ file: '/abs.yaml', text: FILES['/abs.yaml'] })
  })

  it('[EXP35] that may not be read give the reason', async () => {
    const include = await prefetchIncludes('include: ../../etc/passwd', 'main.yaml', read)
    expect(include('../../etc/passwd', 'main.yaml')).toEqual({
      message: '"../../etc/passwd" cannot be included: no ../../etc/passwd',
    })
  })

  it('[EXP33] are looked for in texts that name some', () => {
    expect(['include: a', '"include" : a', '{"include": ["a"]}'].map(mayInclude)).toEqual([true, true, true])
    expect(['states: {}', 'about: |\n  include: no', '{"states": {}}'].map(mayInclude)).toEqual([false, false, false])
  })
})
