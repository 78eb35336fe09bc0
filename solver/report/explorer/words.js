// Small things everything else needs: elements, settings that outlive the page, texts in the reader's language.

const KEPT = "truc-solve explore";
const element = (id) => document.getElementById(id);

function make(tag, properties = {}) {
  return Object.assign(document.createElement(tag), properties);
}

const settings = {
  lang: document.documentElement.lang, theme: "auto", sort: "hand", descending: true, seat: null,
  search: "", bettors: false, often: false, below: "value",
};

let text = data.texts[settings.lang];

function setLanguage(lang) {
  settings.lang = lang;
  text = data.texts[lang];
}

// A phrase with its gaps filled.
function phrase(key, values = {}) {
  return text.page[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// Language and theme are kept for the next visit where the browser allows it.
function remember() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ lang: settings.lang, theme: settings.theme }));
  } catch { /* a browser that keeps nothing */ }
}

function recall() {
  try {
    const { lang, theme } = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    if (lang in data.texts) setLanguage(lang);
    if (["auto", "light", "dark"].includes(theme)) settings.theme = theme;
  } catch { /* nothing was kept, or it cannot be read */ }
}

recall();
