import { expect, it } from 'vitest'
import { checkFlags, type ServeFlags } from './serve-flags.ts'

const FLAGS = { mode: 'both', protocols: ['observer'], tools: 'all', url: 'http://desk:5001' } as unknown as ServeFlags

it.each([
  ['synthetic', false],
  ['remote', false],
  ['windows', false],
  ['macos', false],
  ['linux', true],
  ['auto', true],
] as const)('--session with --adapter %s is accepted: %j', (adapter, isAccepted) => {
  const check = () => checkFlags({ ...FLAGS, adapter }, ['--session'])
  if (isAccepted) expect(check).not.toThrow()
  else expect(check).toThrow('--session applies to the desktops of Linux only; omit it or use --adapter linux')
})
