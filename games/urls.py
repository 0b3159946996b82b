"""Every address of the product, grouped by what stands in it (design: stable hooks)."""

from django.urls import URLPattern, URLResolver, include, path

from games.views import (
    cells,
    evenings,
    frame,
    groups,
    hands,
    home,
    house,
    imports,
    joining,
    matches,
    mending,
    people,
    printing,
    recovery,
    regulars,
    results,
    rules_pages,
    sheets,
    start,
    stories,
    taking_home,
    tv,
)

app_name = "games"

match_urls: list[URLPattern | URLResolver] = [
    path("", sheets.match_page, name="match"),
    path("sheet.json", sheets.sheet_json, name="sheet-json"),
    path("changes/", sheets.changes, name="changes"),
    path("r/<int:number>/deal/", mending.deal, name="deal"),
    path("r/<int:number>/<str:column>/", cells.cell, name="cell"),
    path("r/<int:number>/", cells.whole_row, name="row"),
    path("history/", mending.history, name="history"),
    path("undo/", mending.undo, name="undo"),
    path("settle/", hands.settle, name="settle"),
    path("thrown-in/", matches.thrown_in, name="thrown-in"),
    path("chalk/", matches.chalk, name="chalk"),
    path("dealer/", matches.dealer, name="dealer"),
    path("end/", matches.end, name="end"),
    path("reopen/", matches.reopen, name="reopen"),
    path("story/", stories.story, name="story"),
    path("story.svg", stories.picture, name="picture"),
    path("strokes/", stories.strokes, name="strokes"),
    path("print/", printing.printed, name="print"),
]

table_urls: list[URLPattern | URLResolver] = [
    path("", sheets.table_page, name="table"),
    path("seat/", joining.seat, name="seat"),
    path("people/", people.people, name="people"),
    path("tv/", tv.tv, name="tv"),
    path("evening/", evenings.evening, name="evening"),
    path("regulars/", regulars.regulars, name="regulars"),
    path("house/", house.house, name="house"),
    path("next/", matches.next_match, name="next"),
    path("take-home/", taking_home.take_home, name="take-home"),
    path("export.json", taking_home.export_json, name="export-json"),
    path("export.csv", taking_home.export_csv, name="export-csv"),
    path("delete/", taking_home.delete, name="delete"),
    path("late/<int:late_id>/", cells.late, name="late"),
    path("m/<int:match_number>/", include(match_urls)),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", home.healthz, name="healthz"),
    path("readyz", home.readyz, name="readyz"),
    path("csrf/", home.csrf, name="csrf"),
    path("sw.js", home.worker, name="worker"),
    path("words/<slug:language>.<slug:mark>.js", home.words_script, name="words"),
    path("manifest.webmanifest", frame.manifest, name="manifest"),
    path("theme/", frame.switch_theme, name="theme"),
    path("games/<slug:slug>/", rules_pages.game_rules, name="rules"),
    path("new/<slug:slug>/", start.new_table, name="new"),
    path("join/", joining.join, name="join"),
    path("j/<str:code>/", joining.join_by_link, name="join-link"),
    path("host/<slug:secret>/", recovery.recover, name="recover"),
    path("import/", imports.import_table, name="import"),
    path("r/<str:signed>/", results.result, name="result"),
    path("g/<slug:key>/", groups.group, name="group"),
    path("g/<slug:key>/edit/", groups.edit_group, name="group-edit"),
    path("t/<slug:key>/", include(table_urls)),
]
