import { computerSuite } from '../../test-support/adapters/computer.suite.ts'
import { fixture, PYTHON, startTrial, until } from '../../test-support/linux/test-desktop.ts'

computerSuite('a Linux desktop', async () => {
  const trial = await startTrial()
  const form = await trial.open(/^Form$/, PYTHON, fixture('gtk-form.py'))
  await trial.computer.perform({ type: 'activate', window: form.uid })
  return {
    computer: trial.computer,
    until: async (read, good) => {
      let last = await read()
      await until('it is so', async () => {
        last = await read()
        return good(last)
      })
      return last
    },
    close: () => trial.close(),
  }
})
