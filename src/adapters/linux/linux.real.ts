import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import { fixturePath, PYTHON, startTestDesktop, waitUntil } from '../../../test/support/linux/test-desktop.ts'

computerSuite('a Linux desktop', async () => {
  const testDesktop = await startTestDesktop()
  const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  await testDesktop.computer.perform({ type: 'activate', window: form.uid })
  return {
    computer: testDesktop.computer,
    until: async (read, good) => {
      let last = await read()
      await waitUntil('it is so', async () => {
        last = await read()
        return good(last)
      })
      return last
    },
    close: () => testDesktop.close(),
  }
})
