import { describe, inject } from 'vitest'
import { startKdeTestDesktop } from '../support/linux/kde-desktop.ts'
import { chaosSuite } from './chaos.suite.ts'

const testing = inject('debianTesting')

describe.skipIf('reason' in testing)('KDE', () => {
  chaosSuite('kde', { open: () => startKdeTestDesktop(testing), letters: 'abd' })
})
