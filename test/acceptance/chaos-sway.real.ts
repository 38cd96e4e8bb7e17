import { startTestDesktop } from '../support/linux/test-desktop.ts'
import { chaosSuite } from './chaos.suite.ts'

chaosSuite('sway', { open: () => startTestDesktop({ session: 'sway' }) })
