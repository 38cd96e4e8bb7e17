import { describe, inject } from 'vitest'
import { startGnomeTestDesktop } from '../support/linux/gnome-desktop.ts'
import { chaosSuite } from './chaos.suite.ts'

const testing = inject('debianTesting')

describe.skipIf('reason' in testing)('GNOME', () => {
  chaosSuite('gnome', { open: () => startGnomeTestDesktop(testing), letters: 'abd', gnomeInput: 'mutter' })
})
