import { expect, it } from 'vitest'
import { checkFlags, type ServeFlags } from './serve-flags.ts'

const FLAGS = { mode: 'both', protocols: ['observer'], tools: 'all', url: 'http://desk:5001' } as unknown as ServeFlags

const ADAPTERS = [
  ['synthetic', false],
  ['remote', false],
  ['windows', false],
  ['macos', false],
  ['linux', true],
  ['auto', true],
] as const

it.each(
  ['--session', '--gnome-input'].flatMap((option) =>
    ADAPTERS.map(([adapter, isAccepted]) => [option, adapter, isAccepted] as const),
  ),
)('%s with --adapter %s is accepted: %j', (option, adapter, isAccepted) => {
  const check = () => checkFlags({ ...FLAGS, adapter }, [option])
  if (isAccepted) expect(check).not.toThrow()
  else expect(check).toThrow(`${option} applies to the desktops of Linux only; omit it or use --adapter linux`)
})
