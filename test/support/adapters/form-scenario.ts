/** The desktop of `computerSuite`, as a scenario. */
export const FORM_SCENARIO = `
states:
  only:
    windows:
      - uid: form
        title: Form
        tree:
          role: Window
          name: Form
          children:
            - {id: name, role: Edit, name: First name}
            - {id: agree, role: CheckBox, name: Agree, selected: false}
            - id: colour
              role: ComboBox
              name: Colour
              value: Red
              children:
                - {role: ListItem, name: Red, selected: true}
                - {role: ListItem, name: Green}
                - {role: ListItem, name: Blue}
            - {role: Button, name: Forbidden, enabled: false}
      - {uid: other, title: Other, bounds: {x: 700, y: 300, width: 300, height: 200}}
`
