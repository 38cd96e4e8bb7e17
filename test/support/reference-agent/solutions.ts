import type { VendorAnswer, VendorCall } from '../agent/vendors/vendor.ts'

const says = (say: string, ...calls: readonly VendorCall[]): VendorAnswer => ({ say, calls, usage: [100, 10] })
const call = (name: string, args: VendorCall['args'] = {}): VendorCall => ({ name, args })

const member = (name: string, args: VendorCall['args'] = {}): VendorCall => ({ name, args, toolset: 'computer' })

const DONE = says('The task is complete.', call('finish', { status: 'done' }))

/** Answers that solve scenarios of the gallery with their own seed, one for each step. */
export const SOLUTIONS = {
  /** With points of the picture. */
  login: [
    { ...says('The user name first.', call('mouse_click', { x: 320, y: 212 })), think: 'A form.' },
    says('', call('type_text', { text: 'alice' }), call('mouse_click', { x: 320, y: 252 })),
    says('', call('type_text', { text: 'correct horse' })),
    says('Log in.', call('mouse_click', { x: 250, y: 294 })),
    DONE,
  ],
  /** With the computer toolset of Anthropic. */
  loginNatively: [
    says('The user name first.', member('left_click', { coordinate: [320, 212] }), member('type', { text: 'alice' })),
    says('', member('zoom', { region: [100, 100, 900, 700] })),
    says('', member('left_click', { coordinate: [320, 252] })),
    says('', member('type', { text: 'correct horse' }), member('screenshot')),
    says('Log in.', member('key', { text: 'Return' })),
    DONE,
  ],
  /** With elements of the tree. */
  calendar: [
    says('', call('click_element', { selector: 'Button "New event"' })),
    says('', call('type_text', { text: 'Dentist' })),
    says(
      'The day and the time.',
      call('set_value', { selector: 'DatePicker "Day"', value: '2026-03-12', window_uid: 'calendar-event' }),
      call('set_value', { selector: 'Edit "Starts"', value: '10:00' }),
      call('set_value', { selector: 'Edit "Ends"', value: '11:00' }),
    ),
    says('', call('click_element', { selector: 'Button "Save"' })),
    DONE,
  ],
  settings: [
    says('', call('click_element', { selector: 'CheckBox "Save files automatically"' })),
    says('', call('select_option', { selector: 'ComboBox "Language"', option_name: 'Deutsch' })),
    says('', call('click_element', { selector: 'TabItem "Appearance"' })),
    says('', call('click_element', { selector: 'RadioButton "Dark"' })),
    says('', call('click_element', { selector: 'Button "Apply"' })),
    DONE,
  ],
} as const satisfies Record<string, readonly VendorAnswer[]>
