import { describe, expect, it } from 'vitest'
import { controlKind, controlRole, isCheckable, isLabelled } from './control-classes.ts'

describe('control classes', () => {
  it('[WA1] are known in any case and inside classes of Windows Forms', () => {
    const names = ['Button', 'SysListView32', 'WindowsForms10.EDIT.app.0.141b42a_r6_ad1', '#32768', 'MyCanvas']
    expect(names.map(controlKind)).toEqual(['button', 'listview', 'edit', 'menu', undefined])
  })

  it('[WA1] give the role of a button by its style', () => {
    const styles = [0x0, 0x1, 0x3, 0x6, 0x7, 0x9, 0xc, 0x1003]
    expect(styles.map((style) => controlRole('button', style))).toEqual([
      ...['Button', 'Button', 'CheckBox', 'CheckBox', 'Group', 'RadioButton', 'SplitButton'],
      'Button',
    ])
    expect(styles.map(isCheckable)).toEqual([false, false, true, true, false, true, false, true])
  })

  it('[WA1] give the roles of fields, texts and lists by their style', () => {
    expect([0x0, 0x4, 0x20].map((style) => controlRole('edit', style))).toEqual(['Edit', 'Document', 'PasswordEdit'])
    expect([0x0, 0x3, 0x10].map((style) => controlRole('static', style))).toEqual(['Text', 'Image', 'Separator'])
    expect([0x0, 0x1].map((style) => controlRole('listview', style))).toEqual(['List', 'DataGrid'])
  })

  it('[WA3] are named by a label unless they have a text', () => {
    expect((['edit', 'combo', 'trackbar'] as const).map(isLabelled)).toEqual([true, true, true])
    expect((['button', 'static', 'statusbar'] as const).map(isLabelled)).toEqual([false, false, false])
  })
})
