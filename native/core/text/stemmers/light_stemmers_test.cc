// Light stemmers: a word for each rule, with the result of Lucene's analyzer of the language.
#include "text/stemmers/light_stemmers.h"

#include <string>
#include <utility>
#include <vector>

#include "testing/analysis.h"
#include "testing/test.h"
#include "text/analysis/token.h"
#include "text/stemmers/stem_filter.h"

namespace quarry::light_stemmers_test {

using Words = std::vector<std::pair<std::string, std::string>>;

void expect_stems(const std::string& algorithm, const Words& words) {
  const StemFilter filter(algorithm);
  for (const auto& [word, stem] : words) {
    TokenBuffer buffer;
    buffer.tokens.push_back({word, 0, 1, 0, static_cast<uint32_t>(word.size()), "word", false});
    AnalysisBudget budget;
    filter.apply(buffer, budget);
    EXPECT_EQ(std::string(buffer.tokens[0].text), stem);
  }
}

/// The first token of a text.
std::string analyzed(std::string_view analyzer, const std::string& text) {
  TokenBuffer buffer;
  EXPECT_TRUE(builtin_analysis()->analyzer(analyzer)->analyze(text, buffer).ok());
  return buffer.tokens.empty() ? "" : std::string(buffer.tokens[0].text);
}

TEST(LightStemmers, StemSpanish) {
  expect_stems("light_spanish", {{"casas", "cas"},
                                 {"meses", "mes"},
                                 {"intereses", "interes"},
                                 {"voces", "voz"},
                                 {"libros", "libr"},
                                 {"animales", "animal"},
                                 {"camión", "camion"},
                                 {"libro", "libr"},
                                 {"cantante", "cantant"},
                                 {"sol", "sol"},
                                 {"pingüino", "pinguin"},
                                 {"ex", "ex"}});
}

TEST(LightStemmers, StemItalian) {
  expect_stems("light_italian", {{"città", "città"},
                                 {"ragazze", "ragazz"},
                                 {"famiglie", "famigl"},
                                 {"poche", "poche"},
                                 {"studii", "stud"},
                                 {"occhi", "occhi"},
                                 {"storia", "stor"},
                                 {"operaio", "opera"},
                                 {"libro", "libro"},
                                 {"libri", "libri"},
                                 {"casa", "casa"},
                                 {"pane", "pane"},
                                 {"gatto", "gatto"}});
}

TEST(LightStemmers, StemGerman) {
  const Words words = {
      {"häusern", "haus"},      {"kindern", "kind"},   {"großem", "gross"}, {"schönes", "schon"},
      {"freunde", "freund"},    {"hunds", "hund"},     {"quelle", "quell"}, {"schönster", "schon"},
      {"lehrerin", "lehrerin"}, {"größten", "grosst"}, {"autos", "autos"},  {"bauern", "bau"},
      {"ach", "ach"},
  };
  // With the whole analyzer, umlauts are replaced before the stemmer.
  for (const auto& [word, stem] : words) EXPECT_EQ(analyzed("german", word), stem);
}

TEST(LightStemmers, StemFrench) {
  expect_stems("light_french", {{"chevaux", "cheval"},
                                {"eaux", "eau"},
                                {"investissement", "investi"},
                                {"finissant", "fini"},
                                {"activement", "actif"},
                                {"qualificatrice", "qualifi"},
                                {"qualificateur", "qualifi"},
                                {"provocatrice", "provoqu"},
                                {"éducateur", "eduqu"},
                                {"créatrice", "crer"},
                                {"narrateur", "nar"},
                                {"actrice", "acteu"},
                                {"deuxième", "deux"},
                                {"chanteuse", "chant"},
                                {"chanteur", "chant"},
                                {"heureuse", "heureu"},
                                {"boulangère", "boulang"},
                                {"offensive", "ofensif"},
                                {"folle", "fou"},
                                {"molle", "mou"},
                                {"professionnelle", "profesion"},
                                {"professionnel", "profesion"},
                                {"complète", "complet"},
                                {"électronique", "electron"},
                                {"princesse", "princ"},
                                {"jardinage", "jardin"},
                                {"actualisation", "actuel"},
                                {"organisateur", "organis"},
                                {"organisation", "organ"},
                                {"définition", "defin"},
                                {"allée", "ale"},
                                {"maison", "maison"},
                                {"mars", "mar"}});
}

TEST(LightStemmers, StemPortuguese) {
  expect_stems("light_portuguese",
               {{"flores", "flor"},       {"meses", "mes"},         {"animais", "animal"},
                {"homens", "homem"},      {"papéis", "papel"},      {"fiéis", "fiel"},
                {"lençóis", "lencol"},    {"fuzis", "fuzil"},       {"corações", "coraca"},
                {"pães", "pao"},          {"rapidamente", "rapid"}, {"casas", "casa"},
                {"vizinha", "vizinh"},    {"maníaca", "maniac"},    {"brasileira", "brasileir"},
                {"famosa", "famos"},      {"política", "politic"},  {"medida", "medid"},
                {"jornada", "jornad"},    {"positiva", "positiv"},  {"programa", "program"},
                {"sabichona", "sabicha"}, {"pintora", "pintor"},    {"japonesa", "japones"},
                {"menina", "menin"},      {"menino", "menin"},      {"gente", "gent"},
                {"coração", "coraca"},    {"lua", "lua"},           {"sol", "sol"}});
}

TEST(LightStemmers, LeaveOtherAlphabetsAlone) {
  expect_stems("light_french", {{"мир", "мир"}, {"日本", "日本"}, {"2024", "2024"}});
}

TEST(LightStemmers, AnalyzersHaveThemByDefault) {
  EXPECT_EQ(analyzed("spanish", "camiones"), "camion");
  EXPECT_EQ(analyzed("german", "Quelle"), "quell");
  EXPECT_EQ(analyzed("dutch", "Fiets"), "fiets");
  EXPECT_EQ(analyzed("dutch", "ei"), "eier");
  EXPECT_EQ(analyzed("dutch", "katten"), "kat");
  const auto kept = AnalysisBuilder().analyzer("a", "spanish", {{"stemmer", {"snowball"}}}).build();
  ASSERT_OK(kept);
  TokenBuffer buffer;
  EXPECT_TRUE((*kept)->analyzer("a")->analyze("ejecutivas", buffer).ok());
  EXPECT_EQ(std::string(buffer.tokens[0].text), "ejecut");
}

}  // namespace quarry::light_stemmers_test
