// One table of the roles and what they are to us. Each letter is one trait, read by the function of that name below.

const table = new Map(
  (
    "alert:ru alertdialog:rp application: article:rpuk audio:rx banner:rpu blockquote:u button:cfn canvas:rx caption:s cell:nd " +
    "checkbox:cfnt code:s columnheader:nd combobox:c complementary:rpu contentinfo:rpu definition:s deletion:s dialog:rp " +
    "document:rs emphasis:s feed:ru figure:rp form:rpu generic:s grid:r gridcell:nd group:rpu heading:rn iframe:rx img:rf " +
    "insertion:s link:cn list:ru listbox:rc listitem:rpuk log:ru main:rpu mark:s marquee: math:f menu:ru menubar:r menuitem:cn " +
    "menuitemcheckbox:cfnt menuitemradio:cfnt meter:f navigation:rpu none:s note: option:cfnk paragraph:s progressbar:f " +
    "radio:cfnt radiogroup:r region:rpu row:rpuk rowgroup:s rowheader:nd scrollbar:cf search:ru searchbox:c separator:f " +
    "slider:cf spinbutton:c status:ru strong:s subscript:s superscript:s switch:cfnt tab:cfn table:rpu tablist:ru tabpanel:rp " +
    "term:s textbox:c time:s timer: toolbar:ru tooltip:n tree:r treegrid:r treeitem:cn video:rx"
  )
    .split(" ")
    .map((row) => row.split(":"))
    .map(([role = "", traits = ""]) => [role, traits] as const),
);

const trait =
  (letter: string) =>
  (role: string): boolean =>
    table.get(role)?.includes(letter) === true;

/** A role that an author may give. */
export const isAriaRole = (role: string): boolean => table.has(role) && !isOwnRole(role);
/** A word of ours for elements that have no ARIA role. */
const isOwnRole = trait("x");
/** Something one acts on. */
export const isControlRole = trait("c");
/** Gives what is inside it no role of its own (ARIA: children presentational). */
export const isFlatRole = trait("f");
/** Its content is its name. */
export const isNamedByContent = trait("n");
/** Says where something is: `row "Beta"`. */
export const isPlaceRole = trait("p");
/** Gets a ref, although nobody presses it: one may look inside it, or find one's way by it. */
export const isLandmarkRole = trait("r");
/** Says nothing to an agent: what is in it is shown without it. */
export const isSilentRole = trait("s");
/** Worth no line when it has neither a name nor anything in it. */
export const isHolderRole = trait("u");
/** Known by its text rather than by a name; lists recycle such elements. */
export const isKeyedRole = trait("k");
/** A cell of a table. */
export const isCellRole = trait("d");
/** Checked or not. */
export const isCheckableRole = trait("t");
