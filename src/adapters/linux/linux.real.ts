import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import { formFixture } from '../../../test/support/linux/form-fixture.ts'
import { startTestDesktop } from '../../../test/support/linux/test-desktop.ts'

computerSuite('a Linux desktop', () => formFixture(startTestDesktop()))
