// Tests of reading documents from outside: the check of their structure, and the items, with the paths of their faults.
#include "core/documents/wire/cursor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/documents/wire/document_writer.h"
#include "core/documents/wire/module_document.h"

namespace passdiff {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(CheckCbor, WhatJsonHasIsAccepted) {
  EXPECT_FALSE(check_cbor(Bytes{0x00}));
  EXPECT_FALSE(check_cbor(Bytes{0x80}));                                  // []
  EXPECT_FALSE(check_cbor(Bytes{0xA1, 0x61, 'a', 0xF6}));                 // {"a": null}
  EXPECT_FALSE(check_cbor(Bytes{0x9B, 0, 0, 0, 0, 0, 0, 0, 1, 0xF4}));    // [false], its length in eight bytes
  EXPECT_FALSE(check_cbor(Bytes{0x62, 0xC3, 0xA9}));                      // "é"
  Bytes deep(kMaxDocumentDepth - 1, 0x81);
  deep.push_back(0x80);
  EXPECT_FALSE(check_cbor(deep));
}

TEST(CheckCbor, HostileStructureIsRefused) {
  const auto code = [](const Bytes& bytes) {
    const auto error = check_cbor(bytes);
    return error ? error->code : std::string("ok");
  };
  EXPECT_EQ(code(Bytes(100'000, 0x81)), "json.depth");   // nested arrays of one
  EXPECT_EQ(code(Bytes(100'000, 0x9F)), "json.syntax");  // an array of indefinite length
  EXPECT_EQ(code(Bytes(100'000, 0xC1)), "json.syntax");  // tags
  EXPECT_EQ(code({}), "json.syntax");
  EXPECT_EQ(code({0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), "json.syntax");  // 2^64 - 1 elements
  EXPECT_EQ(code({0xBB, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), "json.syntax");
  EXPECT_EQ(code({0x7B, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 'a'}), "json.syntax");
  EXPECT_EQ(code({0x82, 0x01}), "json.syntax");                       // an array of two that has one
  EXPECT_EQ(code({0x19, 0x01}), "json.syntax");                       // half an integer
  EXPECT_EQ(code({0xA1, 0x01, 0x02}), "json.syntax");                 // a key that is a number
  EXPECT_EQ(code({0xA1, 0x61, 'a'}), "json.syntax");                  // a key without a value
  EXPECT_EQ(code({0x81, 0xFF}), "json.syntax");                       // a break
  EXPECT_EQ(code({0x61, 0xFF}), "json.syntax");                       // no UTF-8
  EXPECT_EQ(code({0x41, 'a'}), "json.syntax");                        // a byte string
  EXPECT_EQ(code({0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0}), "json.syntax");  // 2^63
  EXPECT_EQ(code({0x01, 0x01}), "json.syntax");                       // more than one item
  EXPECT_EQ(code({0xF7}), "json.syntax");                             // undefined
  EXPECT_EQ(code({0xF8, 0x15}), "json.syntax");                       // true in two bytes
  EXPECT_EQ(code({0xF9, 0x7E, 0x00}), "json.syntax");                 // NaN
  Bytes many = {0x9A, 0x00, 0x40, 0x00, 0x00};                        // an array of 2^22
  many.resize(many.size() + kMaxDocumentItems, 0x00);
  EXPECT_EQ(code(many), "json.size");
}

// {"a": [7, {"b": "text"}, 1.5], "c": null}
Bytes sample() {
  DocumentWriter out;
  out.map(2);
  out.text("a");
  out.array(3);
  out.integer(7);
  out.map(1);
  out.text("b");
  out.text("text");
  out.number(1.5);
  out.text("c");
  out.null();
  return out.take();
}

TEST(Cursor, ReadsItemAfterItem) {
  const Bytes bytes = sample();
  Cursor at = *Cursor::open(bytes);
  EXPECT_EQ(*at.map(), 2U);
  EXPECT_EQ(*at.text(), "a");
  Cursor array = at;
  at.skip();
  EXPECT_EQ(*at.text(), "c");
  EXPECT_TRUE(at.take_null());
  EXPECT_EQ(*array.array(), 3U);
  EXPECT_EQ(*array.integer(), 7);
  EXPECT_EQ(array.item().size(), 8U);  // the map alone
  EXPECT_EQ(*array.number(), 1.5);
}

TEST(Cursor, NamesThePlaceOfAFault) {
  const Bytes bytes = sample();
  Cursor at = *Cursor::open(bytes);
  EXPECT_EQ(at.text().error().message, "document: expected a string");
  ASSERT_TRUE(at.map().ok());
  EXPECT_EQ(at.integer().error().message, "a: expected an integer");  // the path of the key itself
  ASSERT_TRUE(at.text().ok());
  EXPECT_EQ(at.map().error().message, "a: expected an object");
  ASSERT_TRUE(at.array().ok());
  Cursor number = at;
  EXPECT_EQ(number.index(7).error().message, "a[0]: index 7 into a table of 7");
  at.skip();
  ASSERT_TRUE(at.map().ok());
  ASSERT_TRUE(at.text().ok());
  EXPECT_EQ(at.boolean().error().message, "a[1].b: expected true or false");
  EXPECT_EQ(at.dtype().error().code, "json.name");
}

TEST(Cursor, NumbersMayBeIntegersOrNames) {
  DocumentWriter out;
  out.array(4);
  out.integer(-3);
  for (const double value : {-std::numeric_limits<double>::infinity(), std::nan("")}) out.number_or_name(value);
  out.text("much");
  Cursor at = *Cursor::open(out.bytes());
  ASSERT_TRUE(at.array().ok());
  EXPECT_EQ(*at.number(), -3);
  EXPECT_EQ(*at.number(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*at.number()));
  EXPECT_EQ(at.number().error().code, "json.type");
}

TEST(Attributes, OfEveryKindSurvive) {
  const SymVar i = make_sym_var("i");
  const SymVar j = make_sym_var("j");
  const std::vector<AttrValue> kinds = {
      std::monostate(),
      true,
      std::int64_t{-5},
      2.0,
      -std::numeric_limits<double>::infinity(),
      std::string("same"),
      DType::bfloat16,
      VDeviceRef{1},
      MeshRef{2},
      std::vector<std::int64_t>{1, -1},
      AttrList{{1.5, std::vector<std::int64_t>{}, AttrList{{true, DType::int8}}}},
      AttrMap{{{"a", AttrMap{}}, {"$float", std::string("b")}}},
      IndexMap{{i, j}, {Dim::binary(DimOp::floor_mod, j, 4), i, 0}}};
  for (const AttrValue& kind : kinds) {
    DocumentWriter out;
    out.attr(kind);
    Cursor at = *Cursor::open(out.bytes());
    EXPECT_EQ(*read_attr(at, {.vdevices = 2, .meshes = 3}), kind) << kind.index();
  }
  DocumentWriter out;
  out.attr(VDeviceRef{1});
  Cursor at = *Cursor::open(out.bytes());
  EXPECT_EQ(read_attr(at, {.vdevices = 1}).error().code, "json.index");
}

TEST(Fields, AreReadByKeyInAnyOrder) {
  const Bytes bytes = sample();
  const auto read = [&](std::vector<std::string_view> keys) {
    std::vector<Cursor> values(keys.size());
    Cursor at = *Cursor::open(bytes);
    const auto error = read_fields(at, keys, values);
    return error ? error->message : std::string(values[0].take_null() ? "c" : "a");
  };
  EXPECT_EQ(read({"a", "c"}), "a");
  EXPECT_EQ(read({"c", "a"}), "c");
  EXPECT_EQ(read({"a"}), "document: unknown field \"c\"");
  EXPECT_EQ(read({"a", "b", "c"}), "document: no field \"b\"");
  const Bytes twice = {0xA2, 0x61, 'a', 0x00, 0x61, 'a', 0x00};
  Cursor at = *Cursor::open(twice);
  std::array<Cursor, 1> value;
  const std::array<std::string_view, 1> key = {"a"};
  EXPECT_EQ(read_fields(at, key, value)->message, "document: a second field \"a\"");
}

}  // namespace
}  // namespace passdiff
